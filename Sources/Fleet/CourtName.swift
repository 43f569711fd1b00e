import Host

/// What people call a court, and whether it can be taken for another name. Pure.
package enum CourtName {
  /// Why people can take the name for another one, as the end of "the name has …"; nil: they can't.
  ///
  /// A name in one alphabet of any language is none of these, nor are two alphabets whose letters differ.
  package static func doubt(of name: String) -> String? {
    if hidesSomething(name) { return "characters that do not show" }
    if hasOddBlanks(name) { return "blanks at its ends, in a row, or of a special kind" }
    return mixesAlphabets(name)
      ? "letters of two alphabets that look the same" : nil
  }

  /// Names that look the same have the same one.
  package static func look(of name: String) -> String {
    let shown = name.filter { !isHidden($0) }
    let words = shown.split(whereSeparator: isBlank)
      .map { word in String(word.map { latinLookAlikes[$0] ?? $0 }) }
    return words.joined(separator: " ")
  }

  /// The name without blanks at its ends.
  static func trimmed(_ name: String) -> String {
    var rest = name.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }

  private static func isBlank(_ character: Character) -> Bool {
    // Braille's empty cell is a letter to Unicode.
    character.isWhitespace || character == "\u{2800}"
  }

  private static func hasOddBlanks(_ name: String) -> Bool {
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    return words.count > 1 && words.contains(where: \.isEmpty)
      || words.contains { $0.contains(where: isBlank) }
  }

  private static func hidesSomething(_ name: String) -> Bool {
    name.contains { !isPicture($0) && $0.unicodeScalars.contains(where: isHidden) }
  }

  private static func isHidden(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy(isHidden)
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint || !Character(scalar).isPrintable
  }

  /// An emoji may be joined of several by characters that don't show.
  private static func isPicture(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first else { return false }
    return first.value > 0xFF && first.properties.isEmoji
  }

  // MARK: Alphabets

  private enum Alphabet: CaseIterable {
    case latin, greek, cyrillic

    /// Source: Unicode's Blocks.txt.
    init?(_ scalar: Unicode.Scalar) {
      guard scalar.properties.isAlphabetic else { return nil }
      switch scalar.value {
      case 0x41...0x24F, 0x1E00...0x1EFF: self = .latin
      case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
      case 0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F: self = .cyrillic
      default: return nil
      }
    }
  }

  /// Whether all letters of one alphabet in it look like letters of another one in it.
  private static func mixesAlphabets(_ name: String) -> Bool {
    var letters: [Alphabet: Set<Character>] = [:]
    for character in name {
      guard let alphabet = character.unicodeScalars.first.flatMap(Alphabet.init) else { continue }
      letters[alphabet, default: []].insert(character)
    }
    guard letters.count > 1 else { return false }
    let latin = letters[.latin] ?? []
    return letters.contains { alphabet, own in
      guard alphabet != .latin else {
        return letters.keys.contains { other in
          other != .latin && own.isSubset(of: lookAlikes(of: other).values)
        }
      }
      // Without Latin letters it mixes Greek and Cyrillic ones.
      return latin.isEmpty || own.isSubset(of: lookAlikes(of: alphabet).keys)
    }
  }

  private static func lookAlikes(of alphabet: Alphabet) -> [Character: Character] {
    switch alphabet {
    case .latin: [:]
    case .greek: greek
    case .cyrillic: cyrillic
    }
  }

  /// Source: the single letters of Unicode's confusables.txt that a usual font draws alike.
  private static let greek = pairs("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹαγικνορυϲϳ", "ABEZHIKMNOPTYXCayiKvopucj")
  private static let cyrillic = pairs(
    "АВЕЅІЈКМНОРСТХУҮӀԚԜЗаеѕіјорсухһԁԛԝүѵӏб",
    "ABESIJKMHOPCTXYYIQW3aesijopcyxhdqwyvl6"
  )
  private static let latinLookAlikes = greek.merging(cyrillic) { first, _ in first }

  private static func pairs(_ letters: String, _ latin: String) -> [Character: Character] {
    Dictionary(uniqueKeysWithValues: zip(letters, latin))
  }
}
