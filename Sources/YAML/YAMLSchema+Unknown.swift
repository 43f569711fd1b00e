// The hint for an unknown section or key: the name that was probably meant, or all names.

import Host

extension YAMLSchema {
  func unknownSection(_ name: String) -> String {
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

  func unknownKey(_ name: String, in section: YAMLSection<Root>) -> String {
    let text = "there is no key `\(name.excerpt)` in \(section.name)"
    let names = section.keys.map(\.name)
    if let key = suggestion(name, among: names) { return "\(text); did you mean `\(key)`?" }
    if let key = keys.first(where: { $0.name == name }) {
      return "\(text): it belongs below `\(key.section):`"
    }
    return "\(text); there \(names.count == 1 ? "is" : "are") \(names.joined(separator: ", "))"
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
