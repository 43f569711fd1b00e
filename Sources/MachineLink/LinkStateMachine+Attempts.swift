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
      case byService
      case byNameOrAddress
      /// Only to count what is in range: a device that advertises its name alone is no machine yet.
      case everything
    }

    package enum Phase: Hashable, Sendable {
      case starting
      case scanning
      case stopping(Next)
    }

    package enum Next: Hashable, Sendable {
      case nextPass
      case connect(Target)
    }

    package let adapter: ObjectPath
    package let purpose: Purpose
    package private(set) var pass: Pass
    package private(set) var phase = Phase.starting

    init(from seeking: Seeking, on adapter: ObjectPath, _ purpose: Purpose, pass: Pass) {
      self.adapter = adapter
      self.purpose = purpose
      self.pass = pass
    }

    mutating func scanStarted() { phase = .scanning }

    mutating func stop(then next: Next) { phase = .stopping(next) }

    mutating func start(_ pass: Pass) {
      self.pass = pass
      phase = .starting
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

    /// After a scan, or at once for a known device.
    init(from seeking: Seeking, to target: Target) { self.target = target }

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

    init(
      from resolving: Resolving,
      linkEpoch: UInt64,
      characteristic: CommandCharacteristic,
      answers: LinkStatus.Answers?
    ) {
      target = resolving.target
      self.linkEpoch = linkEpoch
      self.characteristic = characteristic
      self.answers = answers
    }
  }
}
