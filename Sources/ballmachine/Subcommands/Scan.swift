/// `ballmachine scan`: which machines are in range.
struct Scan: CommandOptions {
  var machine = MachineOptions()
  var duration = Duration.seconds(20)
  var all = false
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "scan",
    summary: "List the machines in range",
    options: [
      MachineOptions.busOption.within(\.machine),
      .value("duration", .seconds, \.duration, "Listen this many seconds (default 20)"),
      .flag("all", \.all, "List every Bluetooth Low Energy device, not only machines"),
    ] + OutputOptions.options.within(\.output)
  )
}
