/// How long things take. The defaults are bluetoothd 5.66's on Debian 12 where BLUEZ.md knows them;
/// where it doesn't, the comment says "guess".
package struct MockTimings: Hashable, Sendable {
  /// Start or stop of a scan by the kernel, until the call is answered. Guess.
  package var discoveryReply: Duration = .milliseconds(20)
  /// From the start of a scan (or of advertising) to the first report of a device. Guess: about one
  /// advertising interval of a peripheral that wants to be found.
  package var firstReport: Duration = .milliseconds(100)
  /// Between two reports of one device. Guess: controllers filter duplicates.
  package var reportInterval: Duration = .seconds(1)
  /// From the first advertisement to the link (BLUEZ.md 4, "connect ~0.3 s after first adv").
  package var connect: Duration = .milliseconds(300)
  /// Connect to an absent machine fails after this (BLUEZ.md 0.1, 41.3–41.5 s).
  package var connectGivesUp: Duration = .milliseconds(41_300)
  /// Six connection intervals and the report of reason 0x3e (BLUEZ.md 1.6, "flapping").
  package var connectFails: Duration = .milliseconds(300)
  /// From the link to `ServicesResolved` (BLUEZ.md 1.7, 0.25 s with the cache; without it longer on a
  /// slow peer).
  package var resolve: Duration = .milliseconds(250)
  /// The fixed wait of Disconnect (`DISCONNECT_TIMER`, BLUEZ.md 1.8).
  package var disconnect: Duration = .seconds(2)
  /// Disconnect of a pending Connect (BLUEZ.md 1.8).
  package var cancelConnect: Duration = .milliseconds(50)
  /// A silent peer's link ends after this: the kernel's default (BLUEZ.md 1.6).
  package var supervision: Duration = .milliseconds(420)
  /// `TemporaryTimeout` (BLUEZ.md 1.5).
  package var temporary: Duration = .seconds(30)
  /// From a lost link to the machine's next advertisement. Guess.
  package var advertiseAgain: Duration = .milliseconds(100)
  /// Write Request to Write Response: a connection interval of 30–50 ms (BLUEZ.md 1.6); most of it
  /// is waiting for the next connection event.
  package var writeRoundTrip: Duration = .milliseconds(40)
  /// Write Command to the machine.
  package var commandDelivery: Duration = .milliseconds(20)
  /// An unanswered ATT request closes the bearer (BLUEZ.md 2.1).
  package var attTimeout: Duration = .seconds(30)
  /// Setting `Powered`. Guess.
  package var power: Duration = .milliseconds(150)
  /// bluetoothd's notice of a client that left the bus (BLUEZ.md 1.4).
  package var clientGone: Duration = .milliseconds(50)
  /// From the bus name to the objects at a start (BLUEZ.md 3, 0.2–0.7 s).
  package var objectsAppear: Duration = .milliseconds(300)
  /// The kernel closes the links of a bluetoothd that died (BLUEZ.md 3).
  package var orphanedLink: Duration = .seconds(2)

  package init() {}

  /// Nothing takes time but BlueZ's own long limits, which a manual clock passes.
  package static var instant: MockTimings {
    var timings = MockTimings()
    for (name, path) in fields where !limits.contains(name) { timings[keyPath: path] = .zero }
    // A scan that reported without pause would never let go of the processor.
    timings.reportInterval = .seconds(1)
    return timings
  }

  /// Real order with a tenth of the short times: for tests on the real clock.
  package static var fast: MockTimings {
    var timings = MockTimings()
    for (name, path) in fields where !limits.contains(name) { timings[keyPath: path] /= 10 }
    return timings
  }

  private static let limits: Set<String> = ["connect-gives-up", "temporary", "att-timeout"]

  /// Every timing under the name that the verb `timing` takes.
  static var fields: KeyValuePairs<String, WritableKeyPath<MockTimings, Duration>> {
    [
      "discovery-reply": \.discoveryReply, "first-report": \.firstReport,
      "report-interval": \.reportInterval, "connect": \.connect,
      "connect-gives-up": \.connectGivesUp, "connect-fails": \.connectFails,
      "resolve": \.resolve, "disconnect": \.disconnect, "cancel-connect": \.cancelConnect,
      "supervision": \.supervision, "temporary": \.temporary,
      "advertise-again": \.advertiseAgain, "write-round-trip": \.writeRoundTrip,
      "command-delivery": \.commandDelivery, "att-timeout": \.attTimeout, "power": \.power,
      "client-gone": \.clientGone, "objects-appear": \.objectsAppear,
      "orphaned-link": \.orphanedLink,
    ]
  }
}
