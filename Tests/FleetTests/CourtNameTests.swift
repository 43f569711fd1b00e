import Fleet
import Testing

@Suite struct CourtNameTests {
  @Test(arguments: [
    "Court 1", "Centre Court (indoor) #2", "Platz 3, Süd", "Terrain numéro 4 – Périgord",
    "Kort İzmir 5", "Grüße", "Корт 1", "Центральный корт", "Γήπεδο 2", "中央コート", "코트 1", "ملعب ٣",
    "VIP корт", "Court 中央", "Court 🎾", "👨‍👩‍👧 court", "❤️ court", "x", "",
  ])
  func aPlainNameIsInNoDoubt(_ name: String) {
    #expect(CourtName.doubt(of: name) == nil)
  }

  static let alphabets = "letters of two alphabets that look the same"
  static let blanks = "blanks at its ends, in a row, or of a special kind"
  static let hidden = "characters that do not show"

  static let doubts: [(name: String, doubt: String)] = [
    ("court-1 ", blanks), (" court-1", blanks), ("Court  1", blanks), ("Court\u{A0}1", blanks),
    ("Court\u{2003}1", blanks), ("Court 1\u{2800}", blanks),
    // A Cyrillic С, А, о; a Greek Ο; a Latin A in a Cyrillic name.
    ("\u{421}ourt 1", alphabets), ("Court \u{410}", alphabets), ("C\u{43E}urt 1", alphabets),
    ("\u{3F9}ourt 1", alphabets), ("Court \u{417}", alphabets), ("C\u{39F}URT", alphabets),
    ("Корт A", alphabets), ("\u{39F}\u{41A}", alphabets),
    ("Court\u{200B}1", hidden), ("Court 1\u{202E}", hidden), ("Co\u{AD}urt", hidden),
    ("Court\u{3164}", hidden), ("\u{FEFF}Court", hidden), ("Court\u{E0041}", hidden),
    ("Court\u{7}", hidden), ("Court\n1", hidden),
  ]

  @Test(arguments: doubts)
  func aNameThatCanBeMistakenIsInDoubt(_ name: String, doubt: String) {
    #expect(CourtName.doubt(of: name) == doubt)
  }

  @Test(arguments: [
    ("Court 1", "  Court\u{A0}1 "), ("Court 1", "\u{421}\u{43E}urt 1"),
    ("Court 1", "Court\u{200B} 1\u{202E}"), ("Coco", "Сосо"), ("é", "e\u{301}"),
    ("AB", "ΑВ"), ("Court 3", "Court \u{417}"),
  ])
  func namesThatLookTheSameHaveOneLook(_ one: String, other: String) {
    #expect(CourtName.look(of: one) == CourtName.look(of: other))
  }

  @Test func otherNamesHaveOtherLooks() {
    let names = ["Court 1", "Court 2", "Court1", "court 1", "Корт 1", "Court l"]
    #expect(Set(names.map(CourtName.look)).count == names.count)
  }
}
