import Foundation
import JSON
import TestSupport
import Testing

/// Text and values are what Foundation's encoder wrote, which other programs read.
struct JSONEncodingTests {
  private func line(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoding.line(value), as: UTF8.self)
  }

  private func foundation(
    _ value: some Encodable,
    _ formatting: JSONEncoder.OutputFormatting = []
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-2.5, "-2.5"), (0.1, "0.1"), (4.1, "4.1"),
      (1e15, "1000000000000000"), (1e16, "1e+16"), (1e-5, "1e-05"), (1.0 / 3, "0.3333333333333333"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.leastNonzeroMagnitude, "5e-324"),
    ] as [(Double, String)]
  )
  func numbersHaveAsFewDigitsAsTellThemApart(number: Double, text: String) throws {
    #expect(try line(number) == text)
    #expect(try foundation(number) == text)
  }

  @Test func wholeNumbersOfEachWidth() throws {
    #expect(try line([Int64.min, .max]) == "[-9223372036854775808,9223372036854775807]")
    #expect(try line(UInt64(Int64.max)) == "9223372036854775807")
    #expect(try line([Int8.min, .max]) == "[-128,127]")
    #expect(try line(["a": UInt16.max]) == #"{"a":65535}"#)
    #expect(try line(Float(0.1)) == "0.1")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func jsonHasNoSuchNumber(_ number: Double) {
    #expect(throws: EncodingError.self) { try JSONEncoding.line(number) }
    #expect(throws: EncodingError.self) { try JSONEncoding.line(["a": [number]]) }
    #expect(throws: EncodingError.self) { try JSONEncoding.line(Float(number)) }
    let value = JSONValue.object(["a": .array([.number(number)])])
    #expect(throws: EncodingError.self) { try JSONEncoding.line(value) }
  }

  /// No reader of ours takes it.
  @Test func aWholeNumberAbove63BitsIsRefused() {
    #expect(throws: EncodingError.self) { try JSONEncoding.line(UInt64.max) }
    #expect(throws: EncodingError.self) { try JSONEncoding.line(["a": UInt64(1) << 63]) }
  }

  @Test func aCaseHasItsValuesInAnObject() throws {
    enum Step: Encodable {
      case still
      case walked(metres: Double, to: String?)
    }
    let steps = [Step.still, .walked(metres: 1.5, to: "net"), .walked(metres: 2, to: nil)]
    #expect(
      try line(steps)
        == #"[{"still":{}},{"walked":{"metres":1.5,"to":"net"}},{"walked":{"metres":2}}]"#
    )
    #expect(try line(steps) == foundation(steps))
  }

  @Test func whatATextMustEscape() throws {
    let all = String(String.UnicodeScalarView((0..<0x80).map { Unicode.Scalar($0) }))
    #expect(try line(all) == foundation(all))
    #expect(
      try line("\u{0}\u{8}\t\n\u{c}\r\u{1f}\"\\/é🎾\u{2028}")
        == #""\u0000\b\t\n\f\r\u001f\"\\/é🎾\#u{2028}""#
    )
    #expect(try line(["\n\"": 1]) == #"{"\n\"":1}"#)
  }

  @Test func keysAreSortedByTheirBytes() throws {
    let keys = ["b", "a", "Z", "10", "9", "é", "e\u{301}x", "z", "🎾", "\u{FFFF}", ""]
    let object = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
    #expect(try line(object) == foundation(object))
    #expect(try line(["b": 1, "a": 2, "B": 3]) == #"{"B":3,"a":2,"b":1}"#)
  }

  /// As records do, which put the fields of others into their own object.
  private struct Merged: Encodable {
    enum Key: CodingKey { case a, b }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(1, forKey: .a)
      try ["a": 2, "c": 3].encode(to: encoder)
      try object.encode(Int?.none, forKey: .b)
      try JSONValue.object(["d": .null]).encode(to: encoder)
    }
  }

  @Test func containersOfOneObjectFillItTogether() throws {
    #expect(try line(Merged()) == #"{"a":2,"b":null,"c":3,"d":null}"#)
    #expect(try line(Merged()) == foundation(Merged()))
  }

  private struct Elements: Encodable {
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encodeNil()
      try list.encode(1)
      try list.encode(["a": 2.5])
      try list.encode(contentsOf: [[2], [3]])
      #expect(list.count == 5)
    }
  }

  @Test func elementsCanBeWrittenOneByOne() throws {
    #expect(try line(Elements()) == #"[null,1,{"a":2.5},[2],[3]]"#)
    #expect(try line(Elements()) == foundation(Elements()))
  }

  private struct Nothing: Encodable {
    func encode(to encoder: any Encoder) {}
  }

  @Test func whatEncodesNothingIsAnEmptyObject() throws {
    #expect(try line([Nothing()]) == "[{}]")
    #expect(try line(Nothing()) == "{}")
  }

  @Test func scalarsAreTheMembersThatAreNoContainers() throws {
    let value = JSONValue.object([
      "text": .string("a \"b\""), "number": .number(4.1), "whole": .integer(-3),
      "yes": .boolean(true), "none": .null, "list": .array([.integer(1)]), "inner": .object([:]),
    ])
    #expect(
      try JSONEncoding.scalars(of: value)
        == ["text": "a \"b\"", "number": "4.1", "whole": "-3", "yes": "true"]
    )
    #expect(try JSONEncoding.scalars(of: ["alone"]) == [:])
  }

  @Test func filesAreIndented() throws {
    let value = JSONValue.object([
      "a": .array([.integer(1), .object(["b": .null])]), "c": .object(["d": .string("e\n")]),
    ])
    let text = String(decoding: try JSONEncoding.file(value), as: UTF8.self)
    #expect(
      text == #"""
        {
          "a" : [
            1,
            {
              "b" : null
            }
          ],
          "c" : {
            "d" : "e\n"
          }
        }

        """#
    )
    #expect(try text == foundation(value, .prettyPrinted) + "\n")
    #expect(try JSONEncoding.file(JSONValue.array([])) == Array("[]\n".utf8))
  }

  @Test(arguments: seeds())
  func whateverTheValueTheTextIsFoundations(seed: UInt64) throws {
    var random = JSONGenerator(seed: seed)
    for _ in 0..<300 {
      let value = random.value(levels: 4)
      #expect(try line(value) == foundation(value))
    }
  }
}
