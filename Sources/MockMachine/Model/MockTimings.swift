/// How long things take. The defaults are those of bluetoothd 5.66 and kernel 6.1 (Debian 12), from
/// their sources or measured on them; what is neither says "guess".
package struct MockTimings: Hashable, Sendable {
  /// Start or stop of a scan by the kernel, until the call is answered. Guess.
  package var discoveryReply: Duration = .milliseconds(20)
  /// From the start of a scan (or of advertising) to the first report of a device. Guess: about one
  /// advertising interval of a peripheral that wants to be found.
  package var firstReport: Duration = .milliseconds(100)
  /// Between two reports of one device. With a controller that filters duplicates it is the kernel's
  /// scan cycle of 10.24 s, as measured on the real stack; others report each advertisement, which
  /// is why it is shorter here.
  package var reportInterval: Duration = .seconds(1)
  /// From the first advertisement to the link. Measured.
  package var connect: Duration = .milliseconds(300)
  /// Connect to an absent machine fails after this. Measured: 41.3–41.5 s, of which 40 s are the
  /// kernel's `L2CAP_CONN_TIMEOUT`.
  package var connectGivesUp: Duration = .milliseconds(41_300)
  /// A link that is never really established: six connection intervals, then reason 0x3e.
  package var connectFails: Duration = .milliseconds(300)
  /// From the link to `ServicesResolved`. Measured with the cache; without it a slow peer takes longer.
  package var resolve: Duration = .milliseconds(250)
  /// From `ServicesResolved` to the first GATT object. Measured: in the next signal.
  package var objectsAfterResolve: Duration = .zero
  /// The fixed wait of Disconnect (`DISCONNECT_TIMER` in src/device.c).
  package var disconnect: Duration = .seconds(2)
  /// Disconnect of a pending Connect. Measured.
  package var cancelConnect: Duration = .milliseconds(50)
  /// A silent peer's link ends after this: the kernel's default
  /// (net/bluetooth/hci_core.c).
  package var supervision: Duration = .milliseconds(420)
  /// `TemporaryTimeout` of main.conf.
  package var temporary: Duration = .seconds(30)
  /// From a lost link to the machine's next advertisement. Guess.
  package var advertiseAgain: Duration = .milliseconds(100)
  /// Write Request to Write Response: most of it is waiting for the next connection event,
  /// every 30–50 ms (net/bluetooth/hci_core.c).
  package var writeRoundTrip: Duration = .milliseconds(40)
  /// Write Command to the machine.
  package var commandDelivery: Duration = .milliseconds(20)
  /// From a framed command to the machine's first answer. Guess: the next connection event.
  package var answer: Duration = .milliseconds(30)
  /// From there to the answer that the command is completed; of a stop it takes ``answer`` again. Guess.
  package var completion: Duration = .milliseconds(300)
  /// An unanswered ATT request closes the bearer (`timeout_cb` in src/shared/att.c).
  package var attTimeout: Duration = .seconds(30)
  /// Setting `Powered`. Guess.
  package var power: Duration = .milliseconds(150)
  /// bluetoothd's notice of a client that left the bus. Measured.
  package var clientGone: Duration = .milliseconds(50)
  /// From the bus name to the objects at a start. Measured: 0.2–0.7 s.
  package var objectsAppear: Duration = .milliseconds(300)
  /// The kernel closes the links of a bluetoothd that died
  /// (`HCI_DISCONN_TIMEOUT`).
  package var orphanedLink: Duration = .seconds(2)

  package init() {}

  /// Every timing under the name that the verb `timing` takes.
  package static var fields: KeyValuePairs<String, WritableKeyPath<MockTimings, Duration>> {
    [
      "discovery-reply": \.discoveryReply, "first-report": \.firstReport,
      "report-interval": \.reportInterval, "connect": \.connect,
      "connect-gives-up": \.connectGivesUp, "connect-fails": \.connectFails,
      "resolve": \.resolve,
      "objects-after-resolve": \.objectsAfterResolve, "disconnect": \.disconnect,
      "cancel-connect": \.cancelConnect,
      "supervision": \.supervision, "temporary": \.temporary,
      "advertise-again": \.advertiseAgain, "write-round-trip": \.writeRoundTrip,
      "command-delivery": \.commandDelivery, "answer": \.answer, "completion": \.completion,
      "att-timeout": \.attTimeout, "power": \.power,
      "client-gone": \.clientGone, "objects-appear": \.objectsAppear,
      "orphaned-link": \.orphanedLink,
    ]
  }
}
