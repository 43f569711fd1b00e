import Host

/// What a key's value may be: how it is read from YAML, written as YAML, and described to people.
package struct YAMLKind<Value: Hashable & Sendable>: Sendable {
  /// Completes “is not …”: `a number of metres from 0 to 50`.
  package let allowed: String
  /// The unit of a number, as people write it: `m`, `s`; nil for other kinds.
  let unit: String?
  /// The range of a number; nil for other kinds.
  let range: ClosedRange<Double>?
  /// Reads what the file `file` says.
  package let parse: @Sendable (_ node: YAMLNode, _ file: String) throws(YAMLProblem) -> Value
  /// The value as YAML that ``parse`` reads back.
  let yaml: @Sendable (Value) -> String

  package init(
    _ allowed: String,
    unit: String? = nil,
    range: ClosedRange<Double>? = nil,
    yaml: @escaping @Sendable (Value) -> String,
    parse: @escaping @Sendable (_ node: YAMLNode, _ file: String) throws(YAMLProblem) -> Value
  ) {
    self.allowed = allowed
    self.unit = unit
    self.range = range
    self.parse = parse
    self.yaml = yaml
  }

  /// A kind whose values are texts of a certain form.
  ///
  /// - Parameter read: nil for a text that is no such value.
  package init(
    form allowed: String,
    yaml: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.init(allowed, yaml: yaml) { (node, _) throws(YAMLProblem) in
      guard let text = node.text, let value = read(text) else { throw node.isNot(allowed) }
      if case .plain = node.content, text.isNumberInYAML {
        throw YAMLProblem(
          mark: node.mark,
          text: "`\(text)` is a number to YAML, and may lose digits: write \"\(text)\", in quotes"
        )
      }
      return value
    }
  }

  /// The kind of a value that may also be `null`, for none.
  var optional: YAMLKind<Value?> {
    let allowed = allowed + ", or null"
    return YAMLKind<Value?>(
      allowed,
      unit: unit,
      range: range,
      yaml: { [yaml] value in value.map(yaml) ?? "null" },
      parse: { [parse] (node, file) throws(YAMLProblem) in
        guard node.content != .plain("null") else { return nil }
        guard node.content != .plain("") else { throw node.isNot(allowed) }
        return try parse(node, file)
      }
    )
  }

  /// The kind for values that are held in another form.
  package func converted<Other>(
    to convert: @escaping @Sendable (Value) -> Other,
    from back: @escaping @Sendable (Other) -> Value
  ) -> YAMLKind<Other> {
    YAMLKind<Other>(
      allowed,
      unit: unit,
      range: range,
      yaml: { [yaml] in yaml(back($0)) },
      parse: { [parse] (node, file) throws(YAMLProblem) in convert(try parse(node, file)) }
    )
  }
}

/// What is wrong with a list whose items are right, and at which of them, from 0 on.
package struct YAMLListProblem: Error {
  let item: Int
  let text: String

  package init(item: Int, text: String) {
    self.item = item
    self.text = text
  }
}

extension YAMLKind {
  /// A list of so many values of this kind, `[0, 1.5]`.
  ///
  /// - Parameters:
  ///   - allowed: completes “a list of 3 is not …”.
  ///   - convert: what the list means.
  package func list<List>(
    _ allowed: String,
    count: ClosedRange<Int>,
    to convert: @escaping @Sendable ([Value]) throws(YAMLListProblem) -> List,
    from back: @escaping @Sendable (List) -> [Value]
  ) -> YAMLKind<List> {
    YAMLKind<List>(
      allowed,
      unit: unit,
      range: range,
      yaml: { [yaml] in "[\(back($0).map(yaml).joined(separator: ", "))]" },
      parse: { [parse] (node, file) throws(YAMLProblem) in
        guard case .sequence(let items) = node.content else { throw node.isNot(allowed) }
        guard count.contains(items.count) else {
          throw YAMLProblem(mark: node.mark, text: "a list of \(items.count) is not \(allowed)")
        }
        var values: [Value] = []
        for item in items { values.append(try parse(item, file)) }
        do throws(YAMLListProblem) { return try convert(values) } catch {
          throw YAMLProblem(mark: items[error.item].mark, text: error.text)
        }
      }
    )
  }
}

extension YAMLNode {
  /// The text of a scalar, in quotes or not.
  package var text: String? {
    switch content {
    case .plain(let text), .quoted(let text): text
    case .sequence, .mapping, .unusable: nil
    }
  }

  /// The problem of a value that is not what it should be.
  ///
  /// - Parameter hint: what to do about it, if that isn't obvious.
  package func isNot(_ allowed: String, _ hint: String? = nil) -> YAMLProblem {
    let words =
      switch content {
      case .plain(""): "has no value: write \(allowed)"
      case .plain(let text): "`\(text.excerpt)` is not \(allowed)"
      case .quoted(let text): "“\(text.excerpt)” is not \(allowed)"
      case .sequence: "a list is not \(allowed)"
      case .mapping: "a mapping is not \(allowed)"
      case .unusable: "is not \(allowed)"
      }
    return YAMLProblem(mark: mark, text: words + (hint.map { ": \($0)" } ?? ""))
  }
}
