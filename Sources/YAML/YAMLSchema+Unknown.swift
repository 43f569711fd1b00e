// The hint for an unknown section or key: the name that was probably meant, or all names.

import Host

extension YAMLSchema {
  /// - Parameter path: of the mapping that has the name; empty: the file itself.
  func unknown(_ name: String, below path: String) -> String {
    if let section = sections.first(where: { $0.name == path }) {
      return unknownKey(name, in: section)
    }
    guard path.isEmpty else {
      let names = sections.map(\.name).filter { $0.hasPrefix(path + ".") }
        .map { String($0.dropFirst(path.count + 1)) }
      let text = "there is no section `\(name.excerpt)` in \(path)"
      if let section = suggestion(name, among: names) {
        return "\(text); did you mean `\(section)`?"
      }
      return "\(text); there are \(names.joined(separator: ", "))"
    }
    return unknownSection(name)
  }

  private func unknownSection(_ name: String) -> String {
    let text = "there is no section `\(name.excerpt)`"
    if let key = key(name) {
      return "\(text): write `\(key.section):` and below it, indented, `\(key.name): …`"
    }
    let names = sections.map(\.name)
    if let section = suggestion(name, among: names) { return "\(text); did you mean `\(section)`?" }
    if let key = keys.first(where: { $0.name == name }) {
      return "\(text): `\(key.name)` belongs below `\(key.section):`, indented"
    }
    return "\(text); there are \(names.joined(separator: ", "))"
  }

  private func unknownKey(_ name: String, in section: YAMLSection<Root>) -> String {
    let place = section.name.isEmpty ? "" : " in \(section.name)"
    let text = "there is no key `\(name.excerpt)`\(place)"
    var names = section.keys.map(\.name)
    if section.name.isEmpty { names += outerSections }
    if let key = suggestion(name, among: names) { return "\(text); did you mean `\(key)`?" }
    if let key = keys.first(where: { $0.name == name }), !key.section.isEmpty {
      return "\(text): it belongs below `\(key.section):`"
    }
    return "\(text); there \(names.count == 1 ? "is" : "are") \(names.joined(separator: ", "))"
  }

  /// The names of the sections that stand beside the keys of the section without a name.
  private var outerSections: [String] {
    sections.reduce(into: []) { names, section in
      let name = String(section.name.prefix { $0 != "." })
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
  }

  /// The name that was probably meant, for a word in another style (`leastNetDistance`) or misspelt.
  private func suggestion(_ word: String, among names: [String]) -> String? {
    // No key is so long, and a file may be full of such words.
    guard word.utf8.count <= 40 else { return nil }
    return names.first { $0.letters == word.letters } ?? nearMiss(word.lowercased(), among: names)
  }
}

extension String {
  fileprivate var letters: String { lowercased().filter(\.isLetter) }
}
