/// What a machine takes of each field; by default what fits into it.
package struct FieldLimits: Hashable, Sendable {
  private var ranges = Dictionary(
    uniqueKeysWithValues: MachineCommand.Field.allCases.map { ($0, $0.widest) }
  )

  package init() {}

  package subscript(field: MachineCommand.Field) -> ClosedRange<Int> {
    get { ranges[field] ?? field.widest }
    set { ranges[field] = newValue }
  }
}

/// The commands that one machine takes. What lies outside is refused, never changed to fit; the stop
/// command is exempt.
package struct MachineLimits: Hashable, Sendable {
  /// A command of another encoding is refused.
  package var encoding: MachineEncoding
  package var fields: FieldLimits

  /// Whatever fits into the digits.
  package static let widest = MachineLimits(.digits)

  package init(_ encoding: MachineEncoding, _ fields: FieldLimits = FieldLimits()) {
    self.encoding = encoding
    self.fields = fields
  }

  /// Returns if the machine takes the command.
  package func check(_ command: MachineCommand) throws(MachineLimitError) {
    guard command.encoding == encoding else { throw .encoding(command, encoding) }
    if command.isStop { return }
    for (field, value) in command.fields where !fields[field].contains(value) {
      throw .field(field, value: value, allowed: fields[field])
    }
  }
}

/// Why the machine doesn't take a command.
package enum MachineLimitError: Error, Hashable, Sendable, CustomStringConvertible {
  case field(MachineCommand.Field, value: Int, allowed: ClosedRange<Int>)
  /// The machine takes another encoding.
  case encoding(MachineCommand, MachineEncoding)

  package var description: String {
    switch self {
    case .field(let field, let value, let allowed):
      "\(field.name) \(value) is outside this machine's limits,"
        + " \(allowed.lowerBound) to \(allowed.upperBound)"
    case .encoding(let command, let encoding):
      "“\(command)” is not for this machine: with machine.encoding \(encoding.rawValue), write"
        + " \(encoding.form)"
    }
  }
}
