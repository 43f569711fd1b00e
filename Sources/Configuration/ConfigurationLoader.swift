import Glibc
import Host
import YAML

/// Reads a configuration's files, later ones over earlier ones, and collects all problems.
struct ConfigurationLoader {
  /// A configuration with all its comments has a tenth of this.
  static let longest = 65_536

  private(set) var values = BridgeConfiguration()
  /// Where each key's value was given last, by the key's path.
  private(set) var origins: [String: ConfigurationPlace] = [:]
  /// In the order in which they were read.
  private(set) var files: [String] = []
  private(set) var problems: [ConfigurationProblem] = []
  /// Whether missing permissions are the only problems.
  private(set) var isRefusal = true
  /// Paths of keys with a wrong value: problems that follow from it are not reported.
  private(set) var wrongKeys: Set<String> = []
  /// How many more problems of the present file are reported.
  private var problemsLeft = YAMLReader.mostProblems

  init(reading files: ConfigurationFiles) {
    if files.isRequired || access(files.main, F_OK) == 0 || errno != ENOENT { read(files.main) }
    do throws(SystemError) {
      for path in try files.dropInPaths() { readDropIn(path) }
    } catch {
      fail(files.dropIns, error)
    }
  }

  private mutating func readDropIn(_ path: String) {
    var status = stat()
    guard path.hasSuffix(".yaml") else {
      return complain(path, nil, "is not read: the name of a drop-in must end in .yaml")
    }
    // Opening a FIFO would block.
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      return complain(path, nil, "is not a regular file")
    }
    read(path)
  }

  private mutating func read(_ path: String) {
    files.append(path)
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try InputFile.bytes(path, longest: Self.longest) } catch {
      return fail(path, error)
    }
    guard let bytes else {
      return complain(path, nil, "is not a configuration: it is longer than 64 KiB")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IWOTH != 0 {
      complain(path, nil, "every user may change it: run `chmod o-w \(path)`")
    }
    let known = problems.count
    problemsLeft = YAMLReader.mostProblems
    let (root, mistakes) = YAMLReader.read(bytes)
    for mistake in mistakes where problemsLeft > 0 { complain(path, mistake.mark, mistake.text) }
    if let root { take(root, from: path) }
    problems[known...].sort { ($0.line, $0.column) < ($1.line, $1.column) }
    if problemsLeft == 0 { complain(path, nil, "may have more problems than are listed here") }
  }

  private mutating func take(_ root: YAMLNode, from file: String) {
    switch root.content {
    case .plain(""), .unusable: return
    case .mapping(let entries):
      for entry in entries where problemsLeft > 0 {
        if let section = ConfigurationSchema.sections.first(where: { $0.name == entry.key }) {
          take(entry, of: section, from: file)
        } else {
          complain(file, entry.mark, ConfigurationSchema.unknownSection(entry.key))
        }
      }
    case .plain, .quoted, .sequence:
      complain(file, root.mark, "is not a configuration: begin with a section such as court:")
    }
  }

  private mutating func take(
    _ entry: YAMLNode.Entry,
    of section: ConfigurationSection,
    from file: String
  ) {
    switch entry.value.content {
    // All its keys are comments.
    case .plain(""), .unusable: return
    case .mapping(let entries):
      for entry in entries where problemsLeft > 0 {
        if let key = section.keys.first(where: { $0.name == entry.key }) {
          take(entry.value, for: key, from: file)
        } else {
          complain(file, entry.mark, ConfigurationSchema.unknownKey(entry.key, in: section))
        }
      }
    case .plain, .quoted, .sequence:
      complain(
        file,
        entry.value.mark,
        "\(section.name) is a section: write its keys below it, indented, as KEY: VALUE"
      )
    }
  }

  private mutating func take(_ node: YAMLNode, for key: ConfigurationKey, from file: String) {
    origins[key.path] = ConfigurationPlace(file: file, mark: node.mark)
    guard node.content != .unusable else {
      wrongKeys.insert(key.path)
      return
    }
    do throws(YAMLProblem) {
      try key.read(node, file, &values)
    } catch {
      wrongKeys.insert(key.path)
      complain(file, error.mark, "\(key.path): \(error.text)")
    }
  }

  private mutating func complain(_ file: String, _ mark: YAMLMark?, _ text: String) {
    isRefusal = false
    problemsLeft -= 1
    problems.append(ConfigurationProblem(file: file, mark: mark, text: text))
  }

  private mutating func fail(_ file: String, _ error: SystemError) {
    if ![EACCES, EPERM].contains(error.code) { isRefusal = false }
    problems.append(ConfigurationProblem(file: nil, mark: nil, text: "\(error)"))
  }
}

extension ConfigurationProblem {
  fileprivate var line: Int { mark?.line ?? 0 }
  fileprivate var column: Int { mark?.column ?? 0 }
}
