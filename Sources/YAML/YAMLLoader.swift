import Glibc
package import Host

/// Fills a value from YAML files, later ones over earlier ones, and collects all problems.
package struct YAMLLoader<Root: YAMLDocument> {
  /// A file with all its comments has a tenth of this.
  private static var longest: Int { 65_536 }

  package private(set) var values: Root
  /// Where each key's value was given last, by the key's path.
  package private(set) var origins: [String: YAMLPlace] = [:]
  /// The files in the order in which they were read.
  package private(set) var files: [String] = []
  /// The files that have nothing but blanks: an editor, or a full disk, may have emptied them.
  package private(set) var blankFiles: [String] = []
  package private(set) var problems: [YAMLProblem] = []
  /// Whether missing permissions are the only problems.
  package private(set) var isRefusal = true
  /// Paths of keys with a wrong value: problems that follow from it are not reported.
  package private(set) var wrongKeys: Set<String> = []
  /// How many more problems of the present file are reported.
  private var problemsLeft = YAMLReader.mostProblems

  /// - Parameter values: what holds where no file says anything.
  package init(over values: Root = Root()) { self.values = values }

  package mutating func read(_ file: String, _ place: InputFile.Place = .found) {
    files.append(file)
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try InputFile.bytes(file, place, longest: Self.longest) } catch
    {
      return fail(error)
    }
    guard let bytes else {
      return complain("is not \(Root.schema.noun): it is longer than 64 KiB", in: file)
    }
    var status = stat()
    if stat(file, &status) == 0, status.isRegularFile, status.st_mode & S_IWOTH != 0 {
      complain("every user may change it: run `chmod o-w \(file)`", in: file)
    }
    read(bytes, of: file)
  }

  /// - Parameter file: its name, for messages.
  package mutating func read(_ bytes: [UInt8], of file: String) {
    guard !Self.isBlank(bytes) else { return blankFiles.append(file) }
    let known = problems.count
    problemsLeft = YAMLReader.mostProblems
    let (root, mistakes) = YAMLReader.read(bytes)
    for mistake in mistakes { complain(mistake.text, in: file, at: mistake.mark) }
    if let root { load(root, from: file) }
    problems[known...].sort {
      ($0.mark?.line ?? 0, $0.mark?.column ?? 0) < ($1.mark?.line ?? 0, $1.mark?.column ?? 0)
    }
    if problemsLeft == 0 { complain("may have more problems than are listed here", in: file) }
  }

  /// Whether there are only white space and byte order marks. A comment is more than that: a person
  /// keeps it as a template.
  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0 == "\u{FEFF}"
    }
  }

  private mutating func load(_ root: YAMLNode, from file: String) {
    let schema = Root.schema
    let hint = "is not \(schema.noun): begin with \(schema.beginning)"
    load(entries(of: root, from: file, otherwise: hint), below: "", from: file)
  }

  /// - Parameter path: of the mapping; empty for the file's own.
  private mutating func load(_ entries: [YAMLNode.Entry], below path: String, from file: String) {
    let schema = Root.schema
    for entry in entries where problemsLeft > 0 {
      let inner = path.isEmpty ? entry.key : "\(path).\(entry.key)"
      if entry.key.utf8.contains(UInt8(ascii: ".")) {
        // No name has a dot: it is a path.
        complain(schema.unknown(entry.key, below: path), in: file, at: entry.mark)
      } else if let key = schema.key(inner) {
        load(entry.value, for: key, from: file)
      } else if schema.hasSection(inner) {
        let hint = "\(inner) is a section: write its keys below it, indented, as KEY: VALUE"
        load(
          self.entries(of: entry.value, from: file, otherwise: hint),
          below: inner,
          from: file
        )
      } else {
        complain(schema.unknown(entry.key, below: path), in: file, at: entry.mark)
      }
    }
  }

  private mutating func entries(
    of node: YAMLNode,
    from file: String,
    otherwise hint: String
  ) -> [YAMLNode.Entry] {
    switch node.content {
    case .mapping(let entries): return entries
    // All its keys are comments.
    case .plain(""), .unusable: break
    case .plain, .quoted, .sequence: complain(hint, in: file, at: node.mark)
    }
    return []
  }

  private mutating func load(_ node: YAMLNode, for key: YAMLKey<Root>, from file: String) {
    origins[key.path] = YAMLPlace(file: file, mark: node.mark)
    guard node.content != .unusable else {
      wrongKeys.insert(key.path)
      return
    }
    do throws(YAMLProblem) {
      try key.read(node, file, &values)
    } catch {
      wrongKeys.insert(key.path)
      complain("\(key.path): \(error.text)", in: file, at: error.mark)
    }
  }

  package mutating func complain(_ text: String, in file: String, at mark: YAMLMark? = nil) {
    isRefusal = false
    problemsLeft -= 1
    problems.append(YAMLProblem(file: file, mark: mark, text: text))
  }

  package mutating func fail(_ error: SystemError) {
    if ![EACCES, EPERM].contains(error.code) { isRefusal = false }
    problems.append(YAMLProblem(text: "\(error)"))
  }
}
