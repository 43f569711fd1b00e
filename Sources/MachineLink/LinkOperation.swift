package import BlueZ
package import Clocks
package import CourtLogic

/// What the link asks of BlueZ. Each is carried out once and answered once.
package enum LinkOperation: Hashable, Sendable {
  case openBus
  case startService
  /// Follow all objects, or one device's, and read them again.
  case observe(ObservationScope)
  case setPowered(Bool, adapter: ObjectPath)
  case startDiscovery(adapter: ObjectPath, DiscoveryFilter)
  case stopDiscovery(adapter: ObjectPath)
  case trust(ObjectPath)
  case connect(ObjectPath)
  case disconnect(ObjectPath)
  case removeDevice(ObjectPath, adapter: ObjectPath)
  /// Ask for the machine's answers, which this characteristic notifies.
  case startNotify(ObjectPath)
  case write(MachineCommand, as: CommandEncoding, to: ObjectPath, WriteMode)
  /// The operation, carried out although another process has the machine, since it serves a stop.
  indirect case insisting(LinkOperation)
}

/// Names one operation that was begun. The answer to an abandoned one is dropped.
package struct OperationID: Hashable, Sendable {
  let number: UInt64
}

/// Names one command that was handed to the link.
package struct CommandID: Hashable, Sendable {
  package let number: UInt64
}

/// A timer as a value. One that was set again or cancelled has another id: it can't fire late.
package struct LinkTimer: Hashable, Sendable {
  /// At most one timer lives for each purpose.
  package enum Purpose: Hashable, Sendable, CaseIterable {
    /// Try the bus, the service, or the adapter's power again.
    case retry
    /// The deadline of the operation that the state waits for.
    case operation
    /// The end of a scanning pass.
    case scan
    /// The end of looking for a second machine.
    case settle
    /// Services must be resolved by then.
    case services
    /// GATT objects must be there by then.
    case grace
    /// The deadline of the write in flight.
    case write
    /// The deadline of the write that a stop command overtook.
    case overtaken
    /// The command in the slot leaves or expires.
    case slot
    /// The stop command is repeated.
    case stop
    /// The machine's answer to the last ball command must be there by then.
    case answer
    /// The link has held long enough.
    case stable
    /// The next attempt.
    case backOff
    /// Writes on the way out must be done by then.
    case drain
    /// The link has ended by then, in any case.
    case end
  }

  package let purpose: Purpose
  let number: UInt64
}

/// An input of the link. A receipt numbers what came over D-Bus, in the order of its coming: events may
/// have another order.
package enum LinkEvent: Hashable, Sendable {
  case started
  /// BlueZ's levels, as of now.
  case levelsChanged(BlueZState)
  case finished(OperationID, BlueZError?, receipt: UInt64)
  /// The machine has said something.
  case notified([UInt8], receipt: UInt64)
  case fired(LinkTimer)
  /// A ball command, and when it was decided.
  case submitted(CommandID, MachineCommand, decidedAt: MonotonicInstant)
  case stopRequested(CommandID)
  /// A person has said that this device is our machine.
  case adopted(AdoptedMachine)
  case endRequested
}

/// What is to be done about it, in this order.
package enum LinkAction: Hashable, Sendable {
  case begin(OperationID, LinkOperation)
  /// The answer to this operation is of no use any more.
  case abandon(OperationID)
  case setTimer(LinkTimer, at: MonotonicInstant)
  case cancelTimer(LinkTimer)
  case resolve(CommandID, WriteOutcome)
  /// The machine's answer to a command that has its outcome.
  case answered(CommandID, MachineAnswer)
  case publish(LinkStatus)
  case ended
}
