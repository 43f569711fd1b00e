import BlueZ
import Host
import MachineLink
import TestSupport

/// One scenario of a link: how it was set up, and what happens to it. A value: it can be replayed, and
/// cut shorter, for every step means something whatever came before it.
struct Scenario: Hashable {
  struct Setting: Hashable {
    enum Knowledge: Hashable, CaseIterable {
      case address, name, profileOnly
      /// From an earlier run.
      case memory
    }

    var knowledge = Knowledge.address
    var flags = ["write"]
    var encoding = CommandEncoding.digits
    var startsService = false
    var allowsPowerCycle = false
    var allowsOtherAdapter = false
    /// Whether an adapter without Low Energy comes before all others.
    var hasUselessAdapter = false
    /// Of the back-off's jitter.
    var jitter: UInt64 = 0
  }

  var setting = Setting()
  var steps: [Step] = []
  /// Whether in the end all is mended, and the link must come back, before it is asked to end.
  var recovers = false
}

/// Some time passes, and then something happens.
struct Step: Hashable {
  /// How time passes.
  enum Clock: Hashable, CaseIterable {
    /// Each timer fires when it is due.
    case flows
    /// The box stands still: all that was due fires late, in its order.
    case stalls
    /// The same, but what was due last fires first: tasks resume in any order.
    case stallsAndConfuses
  }

  var after = Duration.zero
  var clock = Clock.flows
  var what: Happening
}

enum Happening: Hashable {
  case start
  case submit(age: Duration)
  case stop
  case end
  /// The n-th of the operations that wait for an answer (counted round) gets one.
  case answer(Int, Answer)
  /// An operation that nobody waits for any more is answered all the same.
  case staleAnswer(Int)
  /// A timer that was cancelled or set again fires all the same.
  case staleTimer(Int)
  /// Levels that were overtaken by newer ones arrive.
  case staleLevels
  /// The machine says something. Unread: it came before the last answer of BlueZ, and is read only now.
  case say(Saying, isUnread: Bool)
  /// BlueZ's state changes. Hidden: the signal has been taken in, but only the next one is acted on.
  case change(Change, isHidden: Bool)
}

enum Answer: Hashable {
  case success
  case failure(Failure)
  /// An error, and yet it was done.
  case failureAfterAll(Failure)
  /// Success, and nothing was done.
  case emptySuccess
  /// It was done, and no answer comes.
  case silence
}

/// What BlueZ and the bus answer when something doesn't work.
enum Failure: String, Hashable, CaseIterable {
  case abortByLocal = "le-connection-abort-by-local"
  case alreadyInProgress = "Operation already in progress"
  case inputOutput = "Input/output error"
  case connectionCancelled = "br-connection-canceled"
  case notConnected = "Not connected"
  case attErrorUnlikely = "Operation failed with ATT error: 0x0e"
  case attErrorApplication = "Operation failed with ATT error: 0x80"
  case notReady = "Resource Not Ready"
  case inProgress = "In Progress"
  case acquired = "Write acquired"
  case noSuchObject = "gone"
  case noReply = "Message recipient disconnected"
  case blocked = "Blocked through rfkill"
  /// Another process of the box has claimed the machine.
  case held = "process 812 controls the machine"

  /// What this answers: only an operation on the machine can find it held, and none that insists.
  func error(of operation: LinkOperation) -> BlueZError {
    let isHoldable: Bool = if case .insisting = operation { false } else { operation.device != nil }
    return self == .held && !isHoldable ? Self.inputOutput.error : error
  }

  var error: BlueZError {
    let name: String
    switch self {
    case .abortByLocal, .alreadyInProgress, .inputOutput, .connectionCancelled, .notConnected,
      .attErrorUnlikely, .attErrorApplication:
      name = "org.bluez.Error.Failed"
    case .notReady: name = "org.bluez.Error.NotReady"
    case .inProgress: name = "org.bluez.Error.InProgress"
    case .acquired: name = "org.bluez.Error.NotPermitted"
    case .blocked: name = "org.bluez.Error.Blocked"
    case .noSuchObject: name = "org.freedesktop.DBus.Error.UnknownObject"
    case .noReply: name = "org.freedesktop.DBus.Error.NoReply"
    case .held:
      return BlueZError(
        kind: .heldElsewhere(by: MachineHolder(name: "held", process: 812, user: 0)),
        name: "ballmachine.Error.Held",
        message: rawValue
      )
    }
    return BlueZError(name, rawValue)
  }
}

/// A change of BlueZ's state that the link did not ask for.
enum Change: Hashable, CaseIterable {
  /// The machine's link falls.
  case linkFalls
  /// It falls and is back in one signal, `{ServicesResolved: false, Connected: true}`.
  case linkFallsAndReturns
  /// The first of the two signals in which BlueZ tells the end of a link.
  case servicesUnresolved
  /// A link that we did not make, as a crashed client leaves it.
  case linkAppears
  case servicesResolve
  case tableVanishes
  case tableAppears
  case tableChanges
  /// The machine's object is gone from BlueZ.
  case machineForgotten
  case machineHeard
  case machineUnheard
  /// It goes on under another address, and answers under the old one no more.
  case newAddress
  case paired
  /// A second machine of the same kind and name.
  case twinComes
  case twinGoes
  case strangerComes
  case strangerGoes
  case powerOff
  case powerOn
  case rfkillBlocks
  case rfkillUnblocks
  case unplugged
  case pluggedIn
  case pluggedInElsewhere
  case otherAdapterComes
  case otherAdapterGoes
  case bluetoothdDies
  case bluetoothdStarts
  case bluetoothdRestarts
  /// The mock is there instead of a real stack, or the reverse.
  case stackChanges
  /// The client's own reading of all objects is answered.
  case objectsRead
  case busLost
}

/// What a machine may say, asked or not.
enum Saying: Hashable, CaseIterable {
  case accepted, completed, refused
  /// With the check byte that commands don't have.
  case completedOtherwise
  case wrongCheckByte, cut, garbage

  func bytes(_ encoding: CommandEncoding) -> [UInt8] {
    guard case .framed(let check) = encoding else { return [0x30] }
    let other = CheckByte.allCases.first { $0 != check } ?? check
    return switch self {
    case .accepted: Self.frame(1, check)
    case .completed: Self.frame(2, check)
    case .refused: Self.frame(0, check)
    case .completedOtherwise: Self.frame(2, other)
    case .wrongCheckByte: Self.frame(1, check).dropLast() + [0x11]
    case .cut: Array(Self.frame(2, check).prefix(3))
    case .garbage: [0x5A, 0xA5, 0x83, 2, 2, 2, 2, 2, 2, 2, 2, 2]
    }
  }

  private static func frame(_ code: UInt8, _ check: CheckByte) -> [UInt8] {
    let bytes: [UInt8] = [0x5A, 0xA5, 0x82, code]
    return bytes + [check.of(bytes)]
  }
}
