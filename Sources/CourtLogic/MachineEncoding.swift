/// How a machine takes its commands: which fields they have, and the range of each.
package enum MachineEncoding: String, CaseIterable, Hashable, Sendable {
  /// 18 ASCII digits, in the machine's raw units.
  case digits
  /// Frames of 10 bytes with a check byte, in percent and degrees; the machine answers them.
  /// Source: the machine maker's app, version 0.3. Not tried on a machine.
  case framed

  /// The encoding whose commands have, or lack, a feed: what fields alone say of it.
  package init(hasFeed: Bool) { self = hasFeed ? .framed : .digits }

  /// The fields of a command, in their order.
  package var fields: [MachineCommand.Field] {
    switch self {
    case .digits: [.upper, .lower, .pitch, .yaw]
    case .framed: [.upper, .lower, .pitch, .yaw, .feed]
    }
  }

  /// What the field takes, in ``unit(of:)``.
  package func range(of field: MachineCommand.Field) -> ClosedRange<Int> {
    switch (self, field) {
    case (.digits, .upper), (.digits, .lower): 0...99_999
    case (.digits, _): 0...9_999
    case (.framed, .pitch), (.framed, .yaw): 0...90
    case (.framed, _): 0...100
    }
  }

  /// The unit of a value, for people; empty for raw units.
  package func unit(of field: MachineCommand.Field) -> String {
    switch (self, field) {
    case (.digits, _): ""
    case (.framed, .pitch), (.framed, .yaw): "°"
    case (.framed, _): " %"
    }
  }

  /// The base of a field in the number that holds all fields, one place a field.
  func base(of field: MachineCommand.Field) -> UInt64 { UInt64(range(of: field).upperBound) + 1 }

  /// How a command is written as text.
  package var form: String {
    switch self {
    case .digits: "the \(MachineCommand.length) digits of a command"
    case .framed: fields.map(\.rawValue).joined(separator: ",")
    }
  }

  /// The columns of a command in a table.
  package var columns: [String] { self == .digits ? ["command"] : fields.map(\.rawValue) }

  /// The shortest time from one ball to the next: the mission's 3 s less what a busy box may be
  /// late, or the 2 s of the framed machine's app less the same.
  package var leastInterval: Duration {
    switch self {
    case .digits: .milliseconds(2950)
    case .framed: .milliseconds(1950)
    }
  }

  /// How long the machine may take to answer a command; none where it doesn't answer.
  package var longestAnswer: Duration {
    switch self {
    case .digits: .zero
    case .framed: .seconds(2)
    }
  }
}
