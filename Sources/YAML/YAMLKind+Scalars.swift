import Host

// YAML 1.1 and 1.2 read some words differently, and both are in use: a program that rewrites the
// file may turn 010 into eight, or digits without quotes into a number. Here such words are
// refused; the error says what to write instead.

extension YAMLKind where Value == Bool {
  package static var flag: YAMLKind {
    let allowed = "true or false"
    return YAMLKind(allowed, yaml: { "\($0)" }) { (node, _) throws(YAMLProblem) in
      switch node.content {
      case .plain("true"): return true
      case .plain("false"): return false
      case .quoted("true"), .quoted("false"): throw node.isNot(allowed, "remove the quotes")
      default: throw node.isNot(allowed)
      }
    }
  }
}

extension YAMLKind where Value == Double {
  /// A number with at most three decimals.
  ///
  /// - Parameter quantity: `a number of metres`, say.
  package static func number(
    _ quantity: String,
    unit: String,
    in range: ClosedRange<Double>
  ) -> YAMLKind {
    let allowed = "\(quantity) from \(range.lowerBound.plain) to \(range.upperBound.plain)"
    return YAMLKind(allowed, unit: unit, range: range, yaml: \.plain) {
      (node, _) throws(YAMLProblem) in
      let number = try node.number(allowed)
      guard range.contains(number) else { throw node.isNot(allowed) }
      return number
    }
  }
}

extension YAMLKind where Value == Duration {
  /// A length of time with at most milliseconds.
  package static func seconds(in range: ClosedRange<Double>) -> YAMLKind {
    YAMLKind<Double>.number("a number of seconds", unit: "s", in: range).converted(
      to: { .milliseconds(Int64(($0 * 1000).rounded())) },
      from: { $0 / .seconds(1) }
    )
  }

  package static func seconds(within range: ClosedRange<Duration>) -> YAMLKind {
    .seconds(in: range.lowerBound / .seconds(1)...range.upperBound / .seconds(1))
  }
}

extension YAMLKind where Value == Int {
  package static func integer(
    _ quantity: String,
    unit: String? = nil,
    in range: ClosedRange<Int>
  ) -> YAMLKind {
    let allowed = "\(quantity) from \(range.lowerBound) to \(range.upperBound)"
    return YAMLKind(
      allowed,
      unit: unit,
      range: Double(range.lowerBound)...Double(range.upperBound),
      yaml: { "\($0)" },
      parse: { (node, _) throws(YAMLProblem) in try node.integer(allowed, in: range) }
    )
  }

  /// A number of bytes, written in whole megabytes (10⁶).
  package static func megabytes(in bytes: ClosedRange<Int>) -> YAMLKind {
    let megabyte = 1_000_000
    return .integer(
      "a whole number of megabytes",
      unit: "MB",
      in: bytes.lowerBound / megabyte...bytes.upperBound / megabyte
    )
    .converted(to: { $0 * megabyte }, from: { $0 / megabyte })
  }
}

extension YAMLKind where Value == ClosedRange<Int> {
  /// The least and the greatest of something, `[0, 9999]`.
  package static func bounds(in range: ClosedRange<Int>) -> YAMLKind {
    let allowed =
      "[LEAST, GREATEST], two whole numbers from \(range.lowerBound) to \(range.upperBound)"
    return YAMLKind(
      allowed,
      range: Double(range.lowerBound)...Double(range.upperBound),
      yaml: { "[\($0.lowerBound), \($0.upperBound)]" }
    ) { (node, _) throws(YAMLProblem) in
      guard case .sequence(let items) = node.content, items.count == 2 else {
        throw node.isNot(allowed)
      }
      let number = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      let least = try items[0].integer(number, in: range)
      let greatest = try items[1].integer(number, in: range)
      guard least <= greatest else {
        throw YAMLProblem(
          mark: node.mark,
          text: "[\(least), \(greatest)] is empty: write the least value first"
        )
      }
      return least...greatest
    }
  }
}

extension YAMLKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of a few words.
  package static var word: YAMLKind {
    let words = Value.allCases.map(\.rawValue)
    return YAMLKind(
      form: words.joined(separator: " or "),
      yaml: \.rawValue,
      read: { Value(rawValue: $0) }
    )
  }
}

extension YAMLKind where Value == String {
  /// Text in one line.
  ///
  /// - Parameter fits: what else must hold.
  package static func text(
    _ allowed: String,
    longest: Int = 248,
    where fits: @escaping @Sendable (String) -> Bool = { _ in true }
  ) -> YAMLKind {
    YAMLKind(allowed, yaml: \.asYAML) { (node, _) throws(YAMLProblem) in
      let text = try node.text(allowed, longest: longest)
      guard fits(text) else { throw node.isNot(allowed) }
      return text
    }
  }

  /// A file or a folder; a relative path begins at the folder of the file that names it.
  package static func path(_ allowed: String) -> YAMLKind {
    YAMLKind(allowed, yaml: \.asYAML) { (node, file) throws(YAMLProblem) in
      // Source of the number: Linux' PATH_MAX.
      let path = try node.text(allowed, longest: 4095)
      guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
      return file[...slash] + path
    }
  }
}

extension YAMLNode {
  /// The value as text that every YAML reader takes for the same text.
  func text(_ allowed: String, longest: Int) throws(YAMLProblem) -> String {
    guard let text, !text.isEmpty, text.utf8.count <= longest,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw isNot(allowed) }
    if case .plain = content, text.isAmbiguousInYAML {
      throw YAMLProblem(
        mark: mark,
        text: "`\(text)` is not text to every YAML reader: write \"\(text)\", in quotes"
      )
    }
    return text
  }

  func integer(_ allowed: String, in range: ClosedRange<Int>) throws(YAMLProblem) -> Int {
    guard let integer = Int(exactly: try number(allowed)), range.contains(integer) else {
      throw isNot(allowed)
    }
    return integer
  }

  /// A decimal number such as `0`, `-3` or `0.125`, and nothing that YAML readers disagree on.
  func number(_ allowed: String) throws(YAMLProblem) -> Double {
    guard case .plain(let text) = content else {
      let isNumber = self.text.flatMap { Double($0) } != nil
      throw isNot(allowed, isNumber ? "remove the quotes" : nil)
    }
    let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
      let number = Double(text), number.isFinite
    else { throw isNot(allowed, text.isAmbiguousInYAML ? "write plain decimal digits" : nil) }
    guard parts[0].count == 1 || parts[0].first != UInt8(ascii: "0") else {
      throw isNot(allowed, "some YAML readers take a leading zero for octal; leave it out")
    }
    guard parts.count == 1 || parts[1].count <= 3 else {
      throw isNot(allowed, "write at most 3 decimals")
    }
    // Minus zero becomes zero.
    return number == 0 ? 0 : number
  }
}

extension Double {
  /// The number with at most three decimals, and without the `.0` of a whole number.
  var plain: String {
    let thousandths = Int((self * 1000).rounded())
    return thousandths.isMultiple(of: 1000)
      ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)"
  }
}

extension String {
  /// Whether plain text is a number, a time, a date, a truth value or nothing at all to YAML 1.1 or
  /// 1.2. Sources: yaml.org/type (1.1), YAML 1.2.2 §10.3 (core schema).
  var isAmbiguousInYAML: Bool {
    let word = lowercased()
    let others = "y n yes no true false on off null ~ = << .nan .inf +.inf -.inf"
    if word.isEmpty || others.split(separator: " ").contains(word[...]) { return true }
    // Decimal, octal, hexadecimal, sexagesimal, with an exponent, dates and times.
    guard let first = word.first, "0123456789+-.".contains(first) else { return false }
    return word.contains(where: \.isNumber)
      && word.allSatisfy("0123456789abcdefotxz+-._: ".contains)
  }

  /// Whether plain text is a number to YAML 1.1 or 1.2, in decimal, octal or base 60, or with an
  /// exponent. Sources: as above.
  var isNumberInYAML: Bool {
    let word = filter { $0 != "_" }
    if Double(word) != nil { return true }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.dropFirst().allSatisfy { $0.count <= 2 && Int($0).map((0...59).contains) == true }
      && Int(parts[0]) != nil
  }

  /// The text as YAML, in quotes if need be.
  package var asYAML: String {
    let isPlain =
      !isAmbiguousInYAML && last != ":" && first.map { $0.isLetter || $0 == "/" } == true
      && allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/._-:+@=".contains($0) }
    guard !isPlain else { return self }
    let escaped = map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    return "\"\(escaped)\""
  }
}
