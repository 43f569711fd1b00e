package import Configuration

/// A folder with a configuration, as in `/etc/ballmachine`.
package struct ConfigurationFolder {
  package let directory: TemporaryDirectory

  package init(_ main: String? = nil) throws {
    directory = try TemporaryDirectory()
    if let main { _ = try directory.write(main, to: "config.yaml") }
  }

  package var path: String { directory("config.yaml") }

  package var files: ConfigurationFiles { ConfigurationFiles(main: path) }

  package func load(
    override: (inout BridgeConfiguration) -> Void = { _ in }
  ) throws -> EffectiveConfiguration {
    try EffectiveConfiguration(from: files, override: override)
  }

  /// What is wrong, without the folder's path.
  package func problems() throws -> [String] {
    do {
      _ = try load()
      return []
    } catch let error as ConfigurationError {
      return error.problems.map { "\($0)".replacing(directory.path + "/", with: "") }
    }
  }
}
