import CourtLogic
import YAML

extension YAMLKind where Value == ZoneEdges {
  static func edges(of axis: ZoneEdges.Axis) -> YAMLKind {
    YAMLKind<Double>
      .number("a number of metres", unit: "m", in: 0...axis.extent)
      .list(
        "\(ZoneEdges.count) ascending numbers of metres, the first 0, the last \(axis.extent)",
        count: ZoneEdges.count...ZoneEdges.count,
        to: { (metres) throws(YAMLListProblem) in
          do throws(ZoneEdgesError) { return try ZoneEdges(metres, of: axis) } catch {
            throw YAMLListProblem(item: error.index, text: "\(error)")
          }
        },
        from: \.metres
      )
  }
}

extension YAMLKind where Value == Fallback {
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
