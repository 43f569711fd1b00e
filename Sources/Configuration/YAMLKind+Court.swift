import CourtLogic
import YAML

extension YAMLKind where Value == Court {
  /// A court with an apron of so many metres.
  static var apron: YAMLKind {
    YAMLKind<Double>
      .number("a number of metres", unit: "m", in: 0...Court.greatestApron)
      .converted(
        // The kind's range is the court's own.
        to: { (try? Court(apron: $0)) ?? Court() },
        from: \.apron
      )
  }
}

extension YAMLKind where Value == CourtSettings.Fallback {
  static var fallback: YAMLKind {
    YAMLKind(
      form: "a zone such as 1-1, \(MachineEncoding.digits.form), or \(MachineEncoding.framed.form)",
      yaml: { fallback in
        switch fallback {
        case .zone(let zone): "\"\(zone)\""
        case .command(let command): "\"\(command)\""
        }
      },
      read: { text in
        if let zone = Zone(rowColumn: text) { return .zone(zone) }
        return (try? MachineCommand(text: text)).map { .command($0) }
      }
    )
  }
}
