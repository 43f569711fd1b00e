/// `ballmachine mock`: the mock machine alone, on any bus.
struct Mock: CommandOptions {
  var machine = MachineOptions()
  var script: String?
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "mock",
    summary: "Run a mock machine behind a fake BlueZ on a bus",
    options: [MachineOptions.busOption.within(\.machine)] + [
      .value(
        "script",
        .text("FILE"),
        \.script,
        "Take fault verbs from this file instead of standard input"
      )
    ] + OutputOptions.options.within(\.output),
    details: """
      Owns the name org.bluez, so it needs a bus without bluetoothd: a private dbus-daemon, say.

      Example:
        dbus-run-session -- bash -c 'ballmachine mock --bus session & ballmachine serve --bus session'
      """
  )
}
