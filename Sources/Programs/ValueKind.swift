import JSON
package import YAML

/// What an option's value or a positional argument may be: its name in the help, and its parser.
///
/// A parser's error completes the sentence "--option VALUE: …", so it says what would be right.
package struct ValueKind<Value: Sendable>: Sendable {
  /// The value's name in the help: `FILE`, `METRES`.
  package var label: String
  package var parse: @Sendable (String) throws(UsageError) -> Value

  package init(_ label: String, parse: @escaping @Sendable (String) throws(UsageError) -> Value) {
    self.label = label
    self.parse = parse
  }

  /// The kind for a property that is `nil` until the option is given.
  package var optional: ValueKind<Value?> {
    ValueKind<Value?>(label) { [parse] (text) throws(UsageError) in try parse(text) }
  }
}

extension ValueKind where Value: Hashable {
  /// What a key of a configuration may be.
  package init(_ label: String, _ kind: YAMLKind<Value>) {
    self.init(label) { (text) throws(UsageError) in
      // An argument is text, even where YAML would make a number of it.
      let node = YAMLNode(content: .quoted(text), mark: YAMLMark(line: 1, column: 1))
      do throws(YAMLProblem) { return try kind.parse(node, "") } catch {
        throw UsageError("is not \(kind.allowed)")
      }
    }
  }
}

extension ValueKind where Value == String {
  /// Any text but the empty one, which is probably an unset shell variable.
  package static func text(_ label: String) -> ValueKind {
    ValueKind(label) { (text) throws(UsageError) in
      guard !text.isEmpty else { throw UsageError("is empty") }
      return text
    }
  }
}

extension ValueKind where Value == Double {
  /// A decimal number within `range`.
  ///
  /// Swift's own parser would take `nan`, `inf` and hexadecimal too.
  package static func number(_ label: String, in range: ClosedRange<Double>) -> ValueKind {
    ValueKind(label) { (text) throws(UsageError) in
      guard text.utf8.allSatisfy("+-.0123456789eE".utf8.contains), let number = Double(text),
        number.isFinite
      else { throw UsageError("is not a number") }
      guard range.contains(number) else {
        throw UsageError("is not between \(range.lowerBound.plain) and \(range.upperBound.plain)")
      }
      return number
    }
  }

  /// How many times faster than real time a simulated or replayed clock runs.
  package static var speed: ValueKind { .number("FACTOR", in: 0.01...1000) }
}

extension ValueKind where Value == Int {
  /// A whole decimal number within `range`.
  package static func integer(_ label: String, in range: ClosedRange<Int>) -> ValueKind {
    ValueKind(label) { (text) throws(UsageError) in
      guard let number = Int(text) else { throw UsageError("is not a whole number") }
      guard range.contains(number) else {
        throw UsageError("is not between \(range.lowerBound) and \(range.upperBound)")
      }
      return number
    }
  }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of a few words.
  package static func choice(_ label: String) -> ValueKind {
    ValueKind(label) { (text) throws(UsageError) in
      guard let value = Value(rawValue: text) else {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("is not one of \(words)")
      }
      return value
    }
  }
}

extension ValueKind where Value == Duration {
  /// A length of time in seconds: above zero, at most a year.
  package static var seconds: ValueKind { .seconds(in: 0.001...31_536_000) }

  /// A length of time within `range`, which is in seconds.
  package static func seconds(in range: ClosedRange<Double>) -> ValueKind {
    ValueKind("SECONDS") { (text) throws(UsageError) in
      .seconds(try ValueKind<Double>.number("SECONDS", in: range).parse(text))
    }
  }
}
