package import Positions
package import YAML

// What a tracker's numbers mean, as configurations and options say it.

extension YAMLKind where Value == CourtFrame.Unit {
  package static var units: YAMLKind<CourtFrame.Unit> { .word }
}

extension YAMLKind where Value == CourtFrame.Origin {
  package static var origin: YAMLKind<CourtFrame.Origin> {
    .listed(
      CourtFrame.Origin.named.map(\.name).joined(separator: ", ")
        + ", or X,Y in metres of the court, each from -100 to 100",
      text: \.text,
      read: { CourtFrame.Origin(text: $0) }
    )
  }
}

extension YAMLKind where Value == CourtFrame.Axes {
  package static var axes: YAMLKind<CourtFrame.Axes> {
    .listed(
      "two of x and y, such as x,y or y,x or -x,-y",
      text: \.text,
      read: { CourtFrame.Axes(text: $0) }
    )
  }
}

extension YAMLKind where Value == CourtFrame.Scale {
  package static var scale: YAMLKind<CourtFrame.Scale> {
    .listed(
      "a number, or NX,NY, each from 0.000001 to 1000000",
      text: \.text,
      read: { CourtFrame.Scale(text: $0) }
    )
  }
}

extension YAMLKind {
  /// A text or a number, or a list of them: its items count as if there were commas between.
  fileprivate static func listed(
    _ allowed: String,
    text: @escaping @Sendable (Value) -> String,
    read: @escaping @Sendable (String) -> Value?
  ) -> YAMLKind {
    YAMLKind(allowed, yaml: { text($0).asYAML }) { (node, _) throws(YAMLProblem) in
      let words: [String?] =
        if case .sequence(let items) = node.content { items.map(\.text) } else { [node.text] }
      let known = words.compactMap(\.self)
      guard known.count == words.count, let value = read(known.joined(separator: ",")) else {
        throw node.isNot(allowed)
      }
      return value
    }
  }
}
