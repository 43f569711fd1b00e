import BlueZ

/// Equal failures in a row.
package struct FailureSeries: Hashable, Sendable {
  private var last: LinkFault?
  private var count = 0

  /// From this on, chance and waiting explain nothing.
  private static let loop = 3

  package init() {}

  package mutating func add(_ fault: LinkFault) {
    count = fault.inSeries == last ? count + 1 : 1
    last = fault.inSeries
  }

  package mutating func end() {
    self = FailureSeries()
  }

  /// Whether this fault comes again and again.
  package func isLoop(of fault: LinkFault?) -> Bool {
    fault?.inSeries == last && count >= Self.loop
  }
}

extension LinkFault {
  /// The fault without what may come later: BlueZ says why a link has ended only after it said that
  /// it has.
  fileprivate var inSeries: LinkFault {
    if case .linkLost = self { .linkLost(nil) } else { self }
  }

  /// What a technician can do about a fault that comes again and again: what the link has not done itself
  /// meanwhile. Nil where ``remedy`` is that already.
  package var remedyOfLoop: String? {
    let restart = "run `systemctl restart bluetooth`"
    let freeMachine = "switch the machine off and on, and close its app on every phone"
    switch self {
    // It scans for name, address and services by turns.
    case .machineNotSeen, .machineListedOnly: return freeMachine
    // It backs off, scans, and has BlueZ forget the machine.
    case .connectFailed(let error): return error.connectCause == nil ? freeMachine : nil
    // BlueZ itself gives up sooner: it hangs.
    case .connectTimedOut, .connectedWithoutLink, .machineGone, .discoveryStuck: return restart
    // It waits longer each time, and has BlueZ forget the machine.
    case .servicesNotResolved, .noUsableCharacteristic([]):
      return "bring the box nearer to the machine, and switch the machine off and on"
    case .linkLost: return "bring the box nearer to the machine, and close its app on every phone"
    case .scanFailed(let error):
      return error.kind == .inProgress
        ? Self.endOthersScan : "unplug the adapter and plug it in again"
    // It has BlueZ forget the machine, which leaves the table in its cache. Source: BlueZ src/main.conf.
    case .staleTable:
      return "set `Cache = no` below [GATT] in /etc/bluetooth/main.conf, then \(restart)"
    default: return nil
    }
  }
}
