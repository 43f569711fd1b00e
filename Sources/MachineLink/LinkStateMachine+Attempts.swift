package import BlueZ
package import Clocks
import CourtLogic

// The states of an attempt and of the link that comes of it.

extension LinkStateMachine {
  /// The device that an attempt is for, or a link is with.
  package struct Target: Hashable, Sendable {
    package let device: ObjectPath
    package let adapter: ObjectPath
    package let evidence: MachineIdentity.Evidence

    init(_ recognised: MachineIdentity.Recognised) {
      device = recognised.device.path
      adapter = recognised.device.adapter
      evidence = recognised.by
    }
  }

  /// Scanning until the machine is found, or to see whether a known one advertises.
  ///
  /// Next: through ``Seeking`` connecting or resolving, or what the levels of another adapter say;
  /// backingOff, waitingForBlueZ, waitingForAdapter, shuttingDown.
  package struct Discovering: FallibleState {
    package enum Purpose: Hashable, Sendable {
      case search
      /// Looking whether a known machine advertises, for so long.
      case verify(Target, Duration)
    }

    package enum Pass: Hashable, Sendable {
      case byNameOrAddress
      case everything
    }

    package enum Phase: Hashable, Sendable {
      case starting
      case scanning
      /// The pass is over and not one signal came: the objects are read, to see whether they differ from
      /// these, which signals should have told.
      case comparing(ObjectTree)
      case stopping(Next)
    }

    package enum Next: Hashable, Sendable {
      case nextPass
      case connect(Target)
    }

    package let adapter: ObjectPath
    package let purpose: Purpose
    package private(set) var pass: Pass
    /// Whether what is in range only may be a machine: what waits is not for a second machine.
    var isInDoubt = false
    package private(set) var phase = Phase.starting
    /// ``ObjectTree/hearings`` when the pass began; nil before.
    package private(set) var heardBefore: UInt64?
    /// Whether the objects were read in this pass, because no signal came.
    package private(set) var hasCompared = false
    /// Why BlueZ refused to begin the scan: then another program's is listened to.
    package private(set) var refusal: BlueZError?

    init(from seeking: Seeking, on adapter: ObjectPath, _ purpose: Purpose, pass: Pass) {
      self.adapter = adapter
      self.purpose = purpose
      self.pass = pass
    }

    mutating func scanStarted(heardBefore: UInt64?, despite refusal: BlueZError?) {
      phase = .scanning
      self.heardBefore = heardBefore
      self.refusal = refusal
    }

    mutating func compare(with tree: ObjectTree) {
      phase = .comparing(tree)
      hasCompared = true
    }

    mutating func scanOn() { phase = .scanning }

    mutating func stop(then next: Next) { phase = .stopping(next) }

    mutating func start(_ pass: Pass) {
      self.pass = pass
      phase = .starting
      heardBefore = nil
      hasCompared = false
      refusal = nil
    }
  }

  /// Trusting the device, then Connect.
  ///
  /// Next: resolving, backingOff, waitingForBlueZ, waitingForAdapter, shuttingDown.
  package struct Connecting: FallibleState {
    package enum Phase: Hashable, Sendable {
      case trusting
      case calling(since: MonotonicInstant)
    }

    package let target: Target
    package private(set) var phase = Phase.trusting
    /// Whether a scan has just heard the device.
    package let isHeard: Bool

    /// After a scan, or at once for a known device.
    init(from seeking: Seeking, to target: Target, isHeard: Bool) {
      self.target = target
      self.isHeard = isHeard
    }

    mutating func call(at now: MonotonicInstant) { phase = .calling(since: now) }
  }

  /// There is, or should be, a link: looking for the characteristic that takes commands.
  ///
  /// Next: ready, backingOff, waitingForBlueZ, waitingForAdapter, shuttingDown.
  package struct Resolving: FallibleState {
    package enum Phase: Hashable, Sendable {
      /// Reading the objects, to see whether there is a link at all.
      case observing
      case waiting
      /// Services are resolved; their objects are being fetched, since BlueZ announces them later.
      case fetching(isLast: Bool)
      /// No usable characteristic was among them; it may still come.
      case grace
      /// The characteristic is found; the machine's answers are being asked for.
      case subscribing(CommandCharacteristic)
    }

    package let target: Target
    package private(set) var phase = Phase.observing
    /// The link's epoch; after a Connect it is known once the objects have been read.
    package private(set) var linkEpoch: UInt64?
    /// Whether a Connect of ours has just made the link: its fall is a failed attempt.
    package let isFresh: Bool
    /// The link whose services were known to be resolved before the objects were asked for; nil when
    /// none were.
    package private(set) var resolvedBefore: UInt64?
    /// Whether the machine gets the stop command that it is owed, and nothing more.
    package private(set) var isForStopOnly = false

    /// After Connect replied success.
    init(from connecting: Connecting) {
      target = connecting.target
      isFresh = true
    }

    /// Another program has made the link in the meantime.
    init(from connecting: Connecting, adopting linkEpoch: UInt64) {
      self.init(adopting: linkEpoch, with: connecting.target)
    }

    /// BlueZ holds a link already.
    init(from seeking: Seeking, adopting linkEpoch: UInt64, with target: Target) {
      self.init(adopting: linkEpoch, with: target)
    }

    /// The machine's table has changed.
    init(from ready: Ready) { self.init(adopting: ready.linkEpoch, with: ready.target) }

    private init(adopting linkEpoch: UInt64, with target: Target) {
      self.target = target
      self.linkEpoch = linkEpoch
      isFresh = false
    }

    mutating func servicesWereResolved(on linkEpoch: UInt64) { resolvedBefore = linkEpoch }

    /// The objects were read and show a link.
    mutating func found(_ linkEpoch: UInt64) { self.linkEpoch = self.linkEpoch ?? linkEpoch }

    mutating func limitToStop() { isForStopOnly = true }

    mutating func wait() { phase = .waiting }

    mutating func fetch(isLast: Bool) { phase = .fetching(isLast: isLast) }

    mutating func waitInGrace() { phase = .grace }

    mutating func subscribe(_ found: CommandCharacteristic) { phase = .subscribing(found) }
  }

  /// The only state in which anything is written, but for the last writes of shuttingDown.
  ///
  /// Next: resolving, backingOff, waitingForBlueZ, waitingForAdapter, shuttingDown.
  package struct Ready: FallibleState {
    package let target: Target
    package let linkEpoch: UInt64
    package let characteristic: CommandCharacteristic
    /// Nil if the machine has no answers.
    package let answers: LinkStatus.Answers?
    /// Whether the machine gets the stop command that it is owed, and nothing more.
    package let isForStopOnly: Bool

    init(
      from resolving: Resolving,
      linkEpoch: UInt64,
      characteristic: CommandCharacteristic,
      answers: LinkStatus.Answers?
    ) {
      target = resolving.target
      isForStopOnly = resolving.isForStopOnly
      self.linkEpoch = linkEpoch
      self.characteristic = characteristic
      self.answers = answers
    }
  }
}
