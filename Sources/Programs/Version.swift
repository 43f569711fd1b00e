import CBuild

/// The version that `--version` and a bug report show.
package enum Version {
  /// The version in status, hello and metrics: programs compare it.
  package static let number = "0.1.0"

  /// `0.1.0 (858137d1)`: the version, and the commit that it was built from.
  ///
  /// `tools/release` links the commit, followed by ", modified" if the sources differed from it.
  package static var full: String {
    let build = cbuild_commit().map { String(cString: $0) } ?? "development build"
    return "\(number) (\(build))"
  }
}
