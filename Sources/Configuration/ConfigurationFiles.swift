import Glibc
package import Host
import YAML

/// Which files a configuration is read from: one main file, and drop-ins that change single keys
/// of it.
package struct ConfigurationFiles: Hashable, Sendable {
  /// Where an installed service has its configuration.
  package static let standardPath = "/etc/ballmachine/config.yaml"

  package let main: String
  /// Whether there must be a main file, because its path was given.
  package let isRequired: Bool

  /// The given file, or that of `BALLMACHINE_CONFIG` (for tests and for two bridges on one box), or
  /// the standard one if there is one.
  package init(
    main: String? = nil,
    variable: (String) -> String? = { getenv($0).map { String(cString: $0) } },
    standard: String = standardPath
  ) {
    let given = main ?? variable("BALLMACHINE_CONFIG").flatMap { $0.isEmpty ? nil : $0 }
    self.main = given ?? standard
    isRequired = given != nil
  }

  /// Why there is nothing to read, although a file was named; nil if there is.
  package var missing: SystemError? {
    guard isRequired, access(main, F_OK) != 0, errno == ENOENT else { return nil }
    return SystemError("open \(main)", code: ENOENT)
  }

  /// The folder of the drop-ins: `config.d` beside `config.yaml`.
  package var dropIns: String {
    (main.hasSuffix(Self.suffix) ? String(main.dropLast(Self.suffix.count)) : main) + ".d"
  }

  private static let suffix = ".yaml"

  /// Reads the main file, and the drop-ins over it.
  func load() -> YAMLLoader<BridgeConfiguration> {
    var loader = YAMLLoader<BridgeConfiguration>()
    if isRequired || access(main, F_OK) == 0 || errno != ENOENT { loader.read(main, .named) }
    do throws(SystemError) {
      for path in try dropInPaths() {
        var status = stat()
        if !path.hasSuffix(Self.suffix) {
          loader.complain("is not read: the name of a drop-in must end in .yaml", in: path)
        } else if stat(path, &status) == 0, !status.isRegularFile {
          loader.complain("is not a regular file", in: path)
        } else {
          loader.read(path)
        }
      }
    } catch {
      loader.fail(error)
    }
    return loader
  }

  /// The drop-ins, and files meant as drop-ins, in the order of reading: by their names' bytes.
  private func dropInPaths() throws(SystemError) -> [String] {
    let names: [String]
    do throws(SystemError) { names = try Directory.names(in: dropIns) } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return [] }
      throw error
    }
    // Editors and package managers leave files with other endings; `.yml` is a mistake to report.
    return names.filter {
      !$0.hasPrefix(".") && ($0.hasSuffix(Self.suffix) || $0.hasSuffix(".yml"))
    }
    .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    .map { dropIns + "/" + $0 }
  }
}
