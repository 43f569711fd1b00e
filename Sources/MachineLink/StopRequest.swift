import BlueZ
import Clocks

/// A stop command that has not been acknowledged yet. It survives disconnects.
package struct StopRequest: Hashable, Sendable {
  /// How often a stop command is sent to a machine that can't acknowledge it.
  static let unacknowledgedStops = 3

  /// All that asked for it: they get the same outcome.
  package private(set) var ids: [CommandID]
  /// Whether it was tried as a write without response on this link.
  private var commandTried = false
  /// How often bluetoothd took such a write on this link.
  private var commandsTaken = 0
  /// Whether it may have reached the machine, on this link or an earlier one.
  private(set) var mayHaveArrived = false
  /// How the last write of it on the last link failed; nil if it didn't.
  private var failure: WriteOutcome?
  /// When the machine's answer must be there.
  private var answerDeadline: MonotonicInstant?
  /// The machine's last word, which was no confirmation.
  private var answer = MachineAnswer.none
  /// Whether it was written on this link.
  package private(set) var isWritten = false
  /// Whether its last write began when no answer could be a ball's any more.
  private var isClear = false
  /// The receipt of BlueZ's answer to the first such write on this link. What the machine says after that
  /// is on the stop command; what has waited unread, in a program that stood still, was received before.
  private var throughAt: UInt64?

  init(_ id: CommandID) {
    ids = [id]
  }

  mutating func join(_ id: CommandID) {
    ids.append(id)
  }

  /// A new link: nothing was tried on it yet.
  mutating func linkOpened() {
    commandTried = false
    commandsTaken = 0
    answerDeadline = nil
    failure = nil
    isWritten = false
    throughAt = nil
  }

  /// How to write it now: first as a write without response, since that can overtake; then
  /// acknowledged, where the machine can.
  ///
  /// - Parameter isBlocked: whether a write that was overtaken has no answer yet. BlueZ takes one
  ///   request at a time.
  /// - Returns: nil if it has to wait for that answer.
  func nextMode(on characteristic: CommandCharacteristic, isBlocked: Bool) -> WriteMode? {
    let mode: WriteMode =
      characteristic.takesCommands
        && (!commandTried || !characteristic.takesRequests || isBlocked) ? .command : .request
    return !isBlocked || mode == .command ? mode : nil
  }

  /// - Parameter isClear: whether no answer can be a ball's any more.
  mutating func wasWritten(_ mode: WriteMode, isClear: Bool) {
    isWritten = true
    self.isClear = isClear
    if mode == .command { commandTried = true }
  }

  /// The write's outcome is known.
  mutating func ended(_ outcome: WriteOutcome) {
    if outcome.mayHaveArrived { mayHaveArrived = true }
    failure = outcome.isWritten ? nil : outcome
    if outcome == .queued { commandsTaken += 1 }
  }

  /// The link fell with the write in flight.
  mutating func lostWrite() {
    mayHaveArrived = true
  }

  /// The machine's radio has it: the machine may take so long to answer.
  mutating func awaitAnswer(after receipt: UInt64, until deadline: MonotonicInstant) {
    guard isClear, throughAt == nil else { return }
    throughAt = receipt
    answerDeadline = deadline
  }

  /// Whether what was received then is the machine's word on it.
  func isAnswered(at receipt: UInt64) -> Bool { throughAt.map { receipt > $0 } ?? false }

  mutating func answered(_ answer: MachineAnswer) { self.answer = answer }

  /// The outcome when the time for an answer is over; nil before.
  func outcomeUnanswered(at now: MonotonicInstant) -> WriteOutcome? {
    guard let answerDeadline, now >= answerDeadline else { return nil }
    return .unknown(.unconfirmed(answer))
  }

  /// Whether a machine that can't acknowledge it was sent enough of them.
  var isRepeatedEnough: Bool { commandsTaken >= Self.unacknowledgedStops }

  /// The stop's outcome when the link ends before it is acknowledged.
  var outcomeAtEnd: WriteOutcome {
    outcomeOfFailure() ?? (mayHaveArrived ? .unknown(.ended) : .notSent(.ended))
  }

  /// What is to be told of it if it goes on as it did on this link; nil unless its last write failed.
  ///
  /// - Parameter isInFlight: whether a further write of it is.
  func outcomeOfFailure(isInFlight: Bool = false) -> WriteOutcome? {
    if case .notSent(let reason)? = failure, mayHaveArrived || isInFlight {
      return .unknown(.notRepeated(reason))
    }
    return failure
  }
}
