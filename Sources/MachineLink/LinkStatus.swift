package import BlueZ
package import Clocks

/// The link as its users see it, at one moment.
package struct LinkStatus: Hashable, Sendable {
  package enum Phase: String, Hashable, Sendable, CaseIterable {
    case idle
    case waitingForBlueZ
    case waitingForAdapter
    case discovering
    case connecting
    case resolving
    case ready
    case backingOff
    case shuttingDown
    case ended
  }

  package var phase = Phase.idle
  /// When this phase began.
  package var since: MonotonicInstant
  /// What keeps the link from being ready, or kept it the last time.
  package var fault: LinkFault?
  /// Failed attempts in a row; a link that holds for 30 s ends the row.
  package var failures = 0
  /// Whether the present fault comes again and again, so that waiting is no remedy.
  package var isLoop = false
  /// Commands in a row that the machine refused or did not answer; nil if it took the last one.
  package var refusals: Refusals?
  /// When what has failed is tried again: the link, or what it waits for. Nil while nothing has, or
  /// while it is being tried.
  package var nextAttempt: MonotonicInstant?
  package var machine: BluetoothAddress?
  package var machineName: String?
  /// The machine's signal as it was last heard; nil if it never was.
  package var signal: Signal?
  /// Nil until it is known which one is used.
  package var adapter: AdapterStatus?
  /// What is wrong with that one; none that may be used is better.
  package var adapterDefect: AdapterDefect?
  /// The adapters that can't serve, in whose place it is used.
  package var passedOver: [AdapterChoice.PassedOver] = []
  /// The profile in use, while ready.
  package var profile: String?
  /// The characteristic that takes the commands, while ready.
  package var characteristic: BluetoothUUID?
  /// Devices that may be ball machines, and that nothing is written to until a person adopts one.
  package var perhaps: [PossibleMachine] = []
  /// Whether the link is there for the stop command alone that the machine is owed.
  package var isForStopOnly = false
  /// The link that we have made, which the next run may end.
  package var made: LeftLink?
  /// Whether the machine's answers come in; nil while it isn't ready, or if it has none.
  package var answers: Answers?
  /// Answers that no command was waiting for, or that can't be read.
  package var oddAnswers = AnswerOddities()
  /// Whether it is that machine only because a link of an earlier run with it was good.
  package var isChosenByMemory = false
  /// The machine of this run's last link that was ready.
  package var linked: RememberedMachine?
  /// The machine of this run's last link that proved good, which the next run should know: a command
  /// was delivered or queued, or the link held for 30 s. Nil for one whose address doesn't last.
  package var proven: RememberedMachine?
  /// Whether the stack is the mock: no ball is real. Nil until BlueZ's objects have been read.
  package var isSimulated: Bool?
  /// A machine with a public address may be paged over BR/EDR when the adapter has it enabled.
  package var mayUseClassicBluetooth = false

  package init(since: MonotonicInstant) {
    self.since = since
  }
}

/// A device that may be a ball machine.
package struct PossibleMachine: Hashable, Sendable {
  package var address: BluetoothAddress
  /// `public` or `random`.
  package var addressType: String
  package var name: String?
  /// The first profile among the services that it advertises.
  package var profile: String?

  init(_ device: Device, _ configuration: LinkConfiguration) {
    address = device.address
    addressType = device.addressType.rawValue
    name = device.name
    profile = configuration.advertisedProfile(of: device)?.name
  }
}

extension LinkStatus {
  /// A signal strength. BlueZ has it only of what a scan hears, not of a machine that is connected
  /// (5.66): it is as old as ``heardAt`` says.
  package struct Signal: Hashable, Sendable {
    /// The signal's strength, in dBm.
    package var rssi: Int16
    package var heardAt: MonotonicInstant

    package init(rssi: Int16, heardAt: MonotonicInstant) {
      self.rssi = rssi
      self.heardAt = heardAt
    }

    /// How long ago it was heard.
    package func age(at now: MonotonicInstant) -> Duration {
      max(heardAt.duration(to: now), .zero)
    }
  }

  /// Whether the machine's answers come in.
  package enum Answers: Hashable, Sendable {
    case heard
    /// Why not.
    case unheard(String)
  }

  /// The adapter that the link uses, or would use.
  package struct AdapterStatus: Hashable, Sendable {
    package enum Condition: String, Hashable, Sendable, CaseIterable {
      case on
      case off
      case missing
      /// BlueZ's objects are not known.
      case unknown
    }

    /// Nil while none has ever been there.
    package var address: BluetoothAddress?
    /// The adapter's present name, such as `hci0`: another one when it is plugged in again.
    package var name: String?
    package var condition: Condition
  }

  /// `SIM` or `REAL`: whether balls are real. Nil until BlueZ's objects have been read.
  package var mode: String? { isSimulated.map { $0 ? "SIM" : "REAL" } }

  /// The number of the attempt that is under way, or comes next, in the present series: from 1. Nil
  /// while the machine is linked, or while there is nothing to try with.
  package var attempt: Int? {
    switch phase {
    case .discovering, .connecting, .resolving, .backingOff: failures + 1
    case .idle, .waitingForBlueZ, .waitingForAdapter, .ready, .shuttingDown, .ended: nil
    }
  }

  /// Whether it is published after `last`. The signal strength differs in each advertisement: alone
  /// it is news once a second, and only while scanning. A machine may say odd things without end:
  /// alone they are news every 10 s.
  ///
  /// - Parameter age: of `last`.
  func isNews(after last: LinkStatus, ofAge age: Duration) -> Bool {
    guard self != last else { return false }
    var unheard = self
    unheard.signal = last.signal
    unheard.oddAnswers = last.oddAnswers
    guard unheard == last else { return true }
    if oddAnswers != last.oddAnswers {
      return last.oddAnswers == AnswerOddities() || age >= .seconds(10)
    }
    guard phase == .discovering, let signal else { return false }
    return last.signal.map { $0.heardAt.duration(to: signal.heardAt) >= .seconds(1) } ?? true
  }
}
