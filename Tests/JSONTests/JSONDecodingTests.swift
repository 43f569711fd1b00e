import Foundation
import JSON
import TestSupport
import Testing

struct JSONDecodingTests {
  private struct Record: Codable, Equatable {
    struct Part: Codable, Equatable {
      var name: String
      var size: Float?
    }

    var flag: Bool
    var count: Int
    var small: UInt8
    var x: Double
    var text: String?
    var parts: [Part]
    var optionals: [Int?]
    var table: [String: Int]
  }

  private static let text = #"""
    {"flag":true,"count":-3,"small":255,"x":4,"parts":[{"name":"é","size":2.5},{"name":""}],
    "optionals":[1,null,7.0],"table":{"1-1":2},"unknown":[{}]}
    """#

  private static let record = Record(
    flag: true,
    count: -3,
    small: 255,
    x: 4,
    parts: [.init(name: "é", size: 2.5), .init(name: "")],
    optionals: [1, nil, 7],
    table: ["1-1": 2]
  )

  private func decoded<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
    try JSONValue(text: Array(text.utf8)).decoded(as: type)
  }

  @Test func membersOfEveryKind() throws {
    #expect(try decoded(Self.text, as: Record.self) == Self.record)
    let data = Data(Self.text.utf8)
    #expect(try JSONDecoder().decode(Record.self, from: data) == Self.record)
    let text = String(decoding: try JSONEncoding.line(Self.record), as: UTF8.self)
    #expect(try decoded(text, as: Record.self) == Self.record)
  }

  /// What is done to the text, where the error is, and what it says.
  private static let damages: [(old: String, new: String, path: [String], words: String)] = [
    (#""flag":true,"#, "", [], "there is no flag"),
    (#"{"name":""}"#, "{}", ["parts", "1"], "there is no name"),
    ("true", "1", ["flag"], "it is a number"), ("-3", #""3""#, ["count"], "it is a text"),
    ("-3", "2.5", ["count"], "it does not fit into Int"),
    ("255", "256", ["small"], "it does not fit into UInt8"),
    ("255", "-1", ["small"], "it does not fit into UInt8"),
    ("255", "1e99", ["small"], "it does not fit into UInt8"),
    (#""x":4"#, #""x":null"#, ["x"], "it is null"),
    ("2.5", "true", ["parts", "0", "size"], "it is true or false"),
    ("7.0", "{}", ["optionals", "2"], "it is an object"),
    (#"{"1-1":2}"#, "[]", ["table"], "it is an array"),
    (#"{"1-1":2}"#, #"{"1-1":""}"#, ["table", "1-1"], "it is a text"),
    (#"[1,null,7.0]"#, "{}", ["optionals"], "it is an object"),
  ]

  @Test(arguments: damages.indices)
  func anErrorNamesThePlaceAndWhatIsThere(index: Int) throws {
    let (old, new, path, words) = Self.damages[index]
    let text = Self.text.replacing(old, with: new)
    let error = #expect(throws: DecodingError.self) { try decoded(text, as: Record.self) }
    let context = try #require(error?.context)
    #expect(context.codingPath.map(\.stringValue) == path)
    #expect(context.debugDescription == words)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Record.self, from: Data(text.utf8))
    }
  }

  private struct Elements: Decodable {
    var numbers: [Int] = []

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      #expect(list.count == 4)
      #expect(try list.decodeNil())
      #expect(try !list.decodeNil())
      // What can't be decoded is not passed.
      #expect(throws: DecodingError.self) { try list.decode(String.self) }
      while !list.isAtEnd { numbers.append(try list.decode(Int.self)) }
      #expect(throws: DecodingError.self) { try list.decode(Int.self) }
    }
  }

  @Test func elementsCanBeReadOneByOne() throws {
    #expect(try decoded("[null,2,3,4]", as: Elements.self).numbers == [2, 3, 4])
  }

  private struct Nested: Decodable {
    enum Key: CodingKey { case inner, list }
    var number: Int

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      #expect(object.allKeys.map(\.stringValue).sorted() == ["inner", "list"])
      let inner = try object.nestedContainer(keyedBy: Key.self, forKey: .inner)
      number = try inner.decode(Int.self, forKey: .list)
    }
  }

  @Test func anObjectInAnObjectCanBeReadInPlace() throws {
    #expect(try decoded(#"{"inner":{"list":4},"list":[],"c":1}"#, as: Nested.self).number == 4)
  }

  @Test func valuesWithoutAnObject() throws {
    #expect(try decoded("null", as: Int?.self) == nil)
    #expect(try decoded("-7", as: Int16.self) == -7)
    #expect(try decoded(#""a""#, as: String.self) == "a")
    #expect(throws: DecodingError.self) { try decoded("null", as: Int.self) }
  }

  /// What is written is read as what it was.
  @Test(arguments: seeds())
  func thereAndBack(seed: UInt64) throws {
    var random = JSONGenerator(seed: seed)
    for _ in 0..<300 {
      let numbers = (0..<5).map { _ in random.number() }
      let texts = (0..<5).map { _ in random.text() }
      let text = try JSONEncoding.line(["n": numbers])
      #expect(try JSONValue(text: text).decoded(as: [String: [Double]].self) == ["n": numbers])
      #expect(try JSONDecoder().decode([String: [Double]].self, from: Data(text)) == ["n": numbers])
      let more = try JSONEncoding.file(texts)
      #expect(try JSONValue(text: more).decoded(as: [String].self) == texts)
    }
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}
