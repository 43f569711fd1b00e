package import BlueZ
package import CourtLogic

extension LinkStateMachine {
  package enum State: Hashable, Sendable {
    /// Next: waitingForBlueZ and all that ``seek()`` may reach, shuttingDown.
    case idle
    case waitingForBlueZ(WaitingForBlueZ)
    case waitingForAdapter(WaitingForAdapter)
    /// Next: connecting, backingOff, or a wait.
    case discovering(Discovering)
    /// Next: resolving, backingOff, or a wait.
    case connecting(Connecting)
    /// Next: ready, backingOff, or a wait.
    case resolving(Resolving)
    /// Next: resolving, backingOff, or a wait. The only state in which anything is written.
    case ready(Ready)
    /// Next: all that ``seek()`` may reach.
    case backingOff(BackingOff)
    /// Next: ended.
    case shuttingDown(ShuttingDown)
    case ended

    package var phase: LinkStatus.Phase {
      switch self {
      case .idle: .idle
      case .waitingForBlueZ: .waitingForBlueZ
      case .waitingForAdapter: .waitingForAdapter
      case .discovering: .discovering
      case .connecting: .connecting
      case .resolving: .resolving
      case .ready: .ready
      case .backingOff: .backingOff
      case .shuttingDown: .shuttingDown
      case .ended: .ended
      }
    }
  }

  /// The device that a session is with.
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

  package struct WaitingForBlueZ: Hashable, Sendable {
    package enum Need: Hashable, Sendable {
      case bus
      case service
      case objects
    }

    package let need: Need
  }

  package struct WaitingForAdapter: Hashable, Sendable {
    package enum Need: Hashable, Sendable {
      case presence
      /// Power that we ask for.
      case power(ObjectPath)
      /// Power that somebody took away, and that we leave to them.
      case consent(ObjectPath)
    }

    package let need: Need
  }

  package struct Discovering: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
      case search
      /// Looking whether a known machine advertises, for so long.
      case verify(Target, Duration)
    }

    package enum Pass: Hashable, Sendable {
      case byService
      case byNameOrAddress
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
    package var pass: Pass
    package var phase = Phase.starting
  }

  package struct Connecting: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
      case trusting
      case calling
    }

    package let target: Target
    package var phase: Phase
    package var since: MonotonicInstant

    /// After a scan, or at once for a known device.
    init(to target: Target, at now: MonotonicInstant) {
      self.target = target
      phase = .trusting
      since = now
    }
  }

  package struct Resolving: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
      /// Reading the objects, to see whether there is a link at all.
      case observing
      case waiting
      /// Services are resolved; their objects are being fetched, since BlueZ announces them later.
      case fetching(isLast: Bool)
      /// No usable characteristic was among them; it may still come.
      case grace
    }

    package let target: Target
    package var phase = Phase.observing
    /// The link's epoch; after a Connect it is known once the objects have been read.
    package var linkEpoch: UInt64?
    /// Whether a Connect of ours has only just made the link: if such a one falls, we failed.
    package let isFresh: Bool
    /// The link whose services were known to be resolved before the objects were asked for; nil when
    /// none were.
    package var resolvedBefore: UInt64?

    init(from connecting: Connecting) {
      target = connecting.target
      isFresh = true
    }

    init(adopting target: Target, linkEpoch: UInt64) {
      self.target = target
      self.linkEpoch = linkEpoch
      isFresh = false
    }

    init(again ready: Ready) { self.init(adopting: ready.target, linkEpoch: ready.linkEpoch) }
  }

  package struct Ready: Hashable, Sendable {
    package let target: Target
    package let linkEpoch: UInt64
    package let characteristic: CommandCharacteristic
    package var slot: Slot?
    package var inFlight: Write?
    /// A ball command whose outcome has been told, but whose write a stop command overtook.
    package var overtaken: OperationID?

    init(from resolving: Resolving, linkEpoch: UInt64, characteristic: CommandCharacteristic) {
      target = resolving.target
      self.linkEpoch = linkEpoch
      self.characteristic = characteristic
    }
  }

  package struct BackingOff: Hashable, Sendable {
    package let until: MonotonicInstant
  }

  package struct ShuttingDown: Hashable, Sendable {
    /// The link on which last writes are still being done.
    package var draining: Ready?
  }

  /// A ball command that waits for its turn.
  package struct Slot: Hashable, Sendable {
    package let id: CommandID
    package let command: MachineCommand
    package let decidedAt: MonotonicInstant
  }

  /// The last ball command that was written.
  package struct LastBall: Hashable, Sendable {
    package let writtenAt: MonotonicInstant
    /// When its write was answered or given up: until then the ball may have left. Nil before that.
    package var settledAt: MonotonicInstant?

    /// When the next one may be written.
    func earliestNext(_ timing: LinkTiming) -> MonotonicInstant {
      let afterWrite = writtenAt.advanced(by: timing.commandSpacing)
      let afterAnswer = settledAt?.advanced(by: timing.commandSpacing - timing.usualAnswer)
      return max(afterWrite, afterAnswer ?? afterWrite)
    }
  }

  /// A write whose answer has not come.
  package struct Write: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
      case ball(CommandID)
      case stop
    }

    package let operation: OperationID
    package var purpose: Purpose
    package let mode: WriteMode
  }

  /// A stop command that has not been acknowledged yet.
  package struct StopRequest: Hashable, Sendable {
    package var ids: [CommandID]
    /// Whether it was tried as a write without response in this session.
    package var commandTried = false
    /// How often bluetoothd took such a write in this session.
    package var commandsTaken = 0
    /// Whether it may have reached the machine, in this session or an earlier one.
    package var mayHaveArrived = false
  }

  package struct PendingOperation: Hashable, Sendable {
    let id: OperationID
    let operation: LinkOperation
  }

  /// Switching the adapter off and on, as a last resort.
  package enum PowerCycle: Hashable, Sendable {
    case off(ObjectPath)
    case on(ObjectPath)
  }
}
