package import BlueZ
package import Clocks
import CourtLogic
import Host

extension LinkStateMachine {
  /// The states, one struct each, built only from the states that may precede it.
  ///
  /// ```
  ///   idle ── started ─▶ (seeking) ◀─ levels changed ─ waitingForBlueZ, waitingForAdapter
  ///                       │ │ │ ▲
  ///      ┌── not known ───┘ │ │ └─────────────────────────────────────────────┐
  ///      │                  │ └── linked already ──┐                          │
  ///      ▼                  ▼ known                ▼                          │
  ///   discovering ─ found ▶ connecting ─ done ▶ resolving ─ usable ▶ ready    │
  ///      │                  │                      │  ▲                │ │    │
  ///      │ failed           │ failed        failed │  └─ table changed ─┘│    │
  ///      ▼                  ▼                      ▼                lost │    │
  ///   backingOff ◀──────────┴──────────────────────┴─────────────────────┘    │
  ///      └── cleaned up, delay over ──────────────────────────────────────────┘
  ///
  ///   (seeking), or any state below it ── BlueZ or adapter missing ──▶ waitingFor…
  ///   any but ended ── endRequested ──▶ shuttingDown ── within 6 s ──▶ ended
  /// ```
  package enum State: Hashable, Sendable {
    case idle(Idle)
    case waitingForBlueZ(WaitingForBlueZ)
    case waitingForAdapter(WaitingForAdapter)
    case discovering(Discovering)
    case connecting(Connecting)
    case resolving(Resolving)
    case ready(Ready)
    case backingOff(BackingOff)
    case shuttingDown(ShuttingDown)
    case ended(Ended)

    static let start = State.idle(Idle())

    package var phase: LinkStatus.Phase {
      switch self {
      case .idle: .idle
      case .waitingForBlueZ: .waitingForBlueZ
      case .waitingForAdapter: .waitingForAdapter
      case .discovering: .discovering
      case .connecting: .connecting
      case .resolving: .resolving
      // For its users it isn't ready, where it takes nothing but a stop.
      case .ready(let ready): ready.isForStopOnly ? .resolving : .ready
      case .backingOff: .backingOff
      case .shuttingDown: .shuttingDown
      case .ended: .ended
      }
    }

    /// The state, if an attempt or a link can fail in it.
    var fallible: (any FallibleState)? {
      switch self {
      case .discovering(let discovering): discovering
      case .connecting(let connecting): connecting
      case .resolving(let resolving): resolving
      case .ready(let ready): ready
      case .idle, .waitingForBlueZ, .waitingForAdapter, .backingOff, .shuttingDown, .ended: nil
      }
    }

    /// The state, if it needs BlueZ and a powered adapter.
    var grounded: (any GroundedState)? {
      if case .backingOff(let backingOff) = self { backingOff } else { fallible }
    }

    /// The state, if the end was not requested yet.
    var live: (any LiveState)? {
      switch self {
      case .idle(let idle): idle
      case .waitingForBlueZ(let waiting): waiting
      case .waitingForAdapter(let waiting): waiting
      case .shuttingDown, .ended: nil
      case .discovering, .connecting, .resolving, .ready, .backingOff: grounded
      }
    }
  }

  /// A state that may be left for shuttingDown.
  package protocol LiveState: Hashable, Sendable {}

  /// A state that needs BlueZ and a powered adapter: it may be left for a wait.
  package protocol GroundedState: LiveState {}

  /// A state in which an attempt or a link can fail: it may be left for backingOff.
  package protocol FallibleState: GroundedState {}

  /// Not started yet.
  ///
  /// Next: through ``Seeking`` waitingForBlueZ, since the bus isn't open; shuttingDown.
  package struct Idle: LiveState {
    fileprivate init() {}
  }

  /// A step, not a state: nothing is in flight, and the levels say where to go on.
  ///
  /// Next: waitingForBlueZ, waitingForAdapter, discovering, connecting, resolving, backingOff.
  package struct Seeking: FallibleState {
    init(from idle: Idle) {}

    init(from waiting: WaitingForBlueZ) {}

    init(from waiting: WaitingForAdapter) {}

    init(from backingOff: BackingOff) {}

    /// A search that follows a scan, which is stopped.
    init(from discovering: Discovering) {}
  }

  /// The bus, bluetoothd or its objects are missing.
  ///
  /// Next: through ``Seeking`` waitingForAdapter, discovering, connecting, resolving, backingOff, or
  /// this for another need; shuttingDown.
  package struct WaitingForBlueZ: LiveState {
    package enum Need: Hashable, Sendable {
      case bus
      case service
      case objects
    }

    package let need: Need

    init(from grounded: some GroundedState, for need: Need) { self.need = need }
  }

  /// The adapter, or its power, is missing.
  ///
  /// Next: through ``Seeking`` waitingForBlueZ, discovering, connecting, resolving, backingOff, or this
  /// for another need; shuttingDown.
  package struct WaitingForAdapter: LiveState {
    package enum Need: Hashable, Sendable {
      case presence
      /// Power that we ask for.
      case power(ObjectPath)
      /// Power that a person took away: it is theirs to switch on again.
      case consent(ObjectPath)
    }

    package let need: Need

    var isForPower: Bool {
      if case .power = need { true } else { false }
    }

    init(from grounded: some GroundedState, for need: Need) { self.need = need }
  }

  /// Cleaning up, then waiting for the next attempt.
  ///
  /// Next: through ``Seeking`` discovering, connecting, resolving, or this again; waitingForBlueZ,
  /// waitingForAdapter, shuttingDown.
  package struct BackingOff: GroundedState {
    package let until: MonotonicInstant

    init(from fallible: some FallibleState, until: MonotonicInstant) { self.until = until }
  }

  /// Last writes, then cleaning up.
  ///
  /// Next: ended.
  package struct ShuttingDown: Hashable, Sendable {
    /// The link on which last writes are still being done; nil once they are.
    package private(set) var draining: Ready?

    init(draining ready: Ready) { draining = ready }

    init(from live: some LiveState) {}

    mutating func drained() { draining = nil }
  }

  /// The last state.
  package struct Ended: Hashable, Sendable {
    init(from shuttingDown: ShuttingDown) {}
  }
}
