import Glibc

/// A program that stands beside this one, as git's do: `ballmachine-camera' beside `ballmachine'.
package enum OtherProgram {
  /// - Returns: nil if it isn't installed.
  package static func path(of name: String) -> String? { executable { "\($0)-\(name)" } }

  /// A program of that name in this one's folder; nil if there is none.
  package static func beside(_ name: String) -> String? {
    executable { own in own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + name }
  }

  private static func executable(_ path: (String) -> String) -> String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let path = path(String(cString: own))
    return access(path, X_OK) == 0 ? path : nil
  }

  /// Runs it in place of this one. Returns if it isn't installed.
  package static func replaceThis(with name: String, _ arguments: some Sequence<String>) {
    guard let path = path(of: name) else { return }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
  }
}
