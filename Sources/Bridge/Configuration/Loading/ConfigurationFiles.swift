import Glibc

/// Which files a configuration is read from: one main file, and drop-ins that change single keys
/// of it.
package struct ConfigurationFiles: Hashable, Sendable {
  /// Where an installed service has its configuration.
  package static let standardPath = "/etc/ballmachine/config.yaml"

  package let main: String
  /// Whether there must be a main file: somebody has named it.
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

  /// The folder of the drop-ins: `config.d` beside `config.yaml`.
  package var dropIns: String {
    (main.hasSuffix(Self.suffix) ? String(main.dropLast(Self.suffix.count)) : main) + ".d"
  }

  private static let suffix = ".yaml"

  /// The drop-ins, and what was meant to be one, in the order in which they are read, that of their names' bytes.
  func dropInPaths() throws(SystemError) -> [String] {
    guard let folder = opendir(dropIns) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw SystemError("read \(dropIns)")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw SystemError("read \(dropIns)") }
        break
      }
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { name in
          String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
      )
    }
    // Editors and package managers leave files with other endings; `.yml` is a mistake to be told.
    return names.filter {
      !$0.hasPrefix(".") && ($0.hasSuffix(Self.suffix) || $0.hasSuffix(".yml"))
    }
    .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    .map { dropIns + "/" + $0 }
  }
}
