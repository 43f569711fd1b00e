import DBus
import MockMachine

extension Behaviour {
  private static let machine = Witness.machine.string
  private static let digits = "105001050012002000"

  /// All that the mock is held to. The names are the headings of the page on it.
  static let all = scans + connections + losses + writes + answers + environment

  private static let scans: [Behaviour] = [
    Behaviour("A scan finds a machine", from: .unknown) { witness in
      try await witness.scan()
      await witness.adapter("StopDiscovery")
    },
    Behaviour("A second scan by the same client", from: .known) { witness in
      await witness.adapter("StartDiscovery")
      try await witness.hears("hci0: Discovering = true")
      await witness.adapter("StartDiscovery")
      await witness.adapter("StopDiscovery")
      try await witness.hears("hci0: Discovering = false")
      await witness.adapter("StopDiscovery")
    },
    Behaviour("An untrusted machine is forgotten 30 s after its link", from: .unknown, isLong: true)
    {
      witness in
      try await witness.scan()
      await witness.adapter("StopDiscovery")
      try await witness.connect()
      try await witness.begin()
      try await witness.disconnect()
      try await witness.perform(.vanish(machine: machine))
      try await witness.hush(.seconds(33))
    },
  ]

  private static let connections: [Behaviour] = [
    Behaviour("The first connection", from: .known, isCore: true) { witness in
      try await witness.connect()
    },
    Behaviour("A connection by a table that BlueZ remembers", from: .connected) { witness in
      try await witness.disconnect()
      try await witness.begin()
      try await witness.connect()
    },
    Behaviour("Connect to a connected machine", from: .connected) { witness in
      await witness.device("Connect")
    },
    Behaviour("Disconnect", from: .connected) { witness in
      await witness.device("Disconnect")
    },
    Behaviour("Disconnect of a machine that isn't connected", from: .known) { witness in
      await witness.device("Disconnect")
    },
    Behaviour(
      "A pending Connect is the wait for a machine that comes back",
      from: .away,
      isCore: true
    ) {
      witness in
      async let connect: Void = witness.device("Connect")
      try await witness.hears("> Connect")
      try await witness.pause(.seconds(3))
      try await witness.perform(.appear(machine: machine))
      await connect
      try await witness.hears("machine: ServicesResolved = true")
    },
    Behaviour("A pending Connect that Disconnect cancels", from: .away) { witness in
      async let connect: Void = witness.device("Connect")
      try await witness.hears("> Connect")
      try await witness.pause(.seconds(2))
      await witness.device("Disconnect")
      await connect
    },
    Behaviour("Connect while a Connect is pending", from: .away) { witness in
      async let connect: Void = witness.device("Connect")
      try await witness.hears("> Connect")
      try await witness.pause(.seconds(1))
      await witness.device("Connect")
      await witness.device("Disconnect")
      await connect
    },
    Behaviour("Connect to a machine that isn't there", from: .away, isLong: true) { witness in
      await witness.device("Connect")
    },
    Behaviour("RemoveDevice of a connected machine", from: .connected) { witness in
      try await witness.removeDevice()
      try await witness.hears("- machine")
    },
    Behaviour("RemoveDevice while a Connect is pending", from: .away) { witness in
      // It may never be answered: then it ends with this scope.
      async let _: Void = witness.device("Connect")
      try await witness.hears("> Connect")
      try await witness.pause(.seconds(1))
      try await witness.removeDevice()
      try await witness.hears("- machine")
    },
  ]

  private static let losses: [Behaviour] = [
    Behaviour("The machine ends the link", from: .connected, isCore: true) { witness in
      try await witness.perform(.drop(machine: machine))
    },
    Behaviour("The machine is switched off", from: .connected) { witness in
      try await witness.perform(.vanish(machine: machine))
    },
    Behaviour("The link falls while services are discovered", from: .known) { witness in
      try await witness.perform(.fault(machine: machine, .drop(.resolving), .once))
      await witness.device("Connect")
    },
    Behaviour("The services are never told", from: .known) { witness in
      try await witness.perform(.fault(machine: machine, .resolveHangs, .once))
      async let connect: Void = witness.device("Connect")
      try await witness.hears("machine: Connected = true")
      try await witness.pause(.seconds(5))
      await witness.device("Disconnect")
      await connect
    },
    Behaviour("The machine's services change", from: .connected) { witness in
      try await witness.perform(.changeTable(machine: machine, .aiThinker, silently: false))
    },
  ]

  private static let writes: [Behaviour] = [
    Behaviour("A write request", from: .connected) { witness in
      try await witness.write(digits)
    },
    Behaviour("A write command", from: .connected) { witness in
      try await witness.write(digits, as: "command")
    },
    Behaviour("A write that the machine rejects", from: .connected) { witness in
      for (name, message) in [
        ("NotPermitted", "Write not permitted"), ("InvalidArguments", "Invalid Length"),
        ("Failed", "Operation failed with ATT error: 0x80"),
      ] {
        let error = DBusError(name: "org.bluez.Error.\(name)", message: message)
        try await witness.perform(.fault(machine: machine, .failWrites(error), .once), as: message)
        try await witness.write(digits)
      }
    },
    Behaviour("A second write while one is under way", from: .connected) { witness in
      try await witness.perform(.fault(machine: machine, .hangWrites(lost: false), .once))
      async let first: Void = witness.write(digits)
      try await witness.hears("> WriteValue")
      try await witness.pause(.seconds(1))
      try await witness.write(digits)
      try await witness.write(digits, as: "command")
      try await witness.perform(.drop(machine: machine))
      try await first
    },
    Behaviour("A write that is never answered", from: .connected, isLong: true) { witness in
      try await witness.perform(.fault(machine: machine, .hangWrites(lost: false), .once))
      try await witness.write(digits)
      try await witness.hears("machine: Connected = false")
    },
    Behaviour("Disconnect while a write is under way", from: .connected) { witness in
      try await witness.perform(.fault(machine: machine, .hangWrites(lost: false), .once))
      async let write: Void = witness.write(digits)
      try await witness.hears("> WriteValue")
      try await witness.pause(.seconds(1))
      await witness.device("Disconnect")
      try await write
    },
    Behaviour("A write without a link", from: .connected) { witness in
      try await witness.disconnect()
      try await witness.begin()
      try await witness.write(digits)
    },
  ]

  private static let framed = MockPeripheral(encoding: .framed)
  /// Its answers are those of FramedTests.
  private static let start: [UInt8] = [0x5a, 0xa5, 0x83, 40, 40, 20, 45, 50, 1, 0xd7]
  private static let completed = "GATT objects: Value = 5a a5 82 02 e3"

  private static let answers: [Behaviour] = [
    Behaviour("A command that the machine answers", from: .connected, of: framed, isCore: true) {
      witness in
      try await witness.characteristic("StartNotify")
      try await witness.write(start)
      try await witness.hears(completed)
      // Each notification shows, also one that equals the last.
      for _ in 1...2 {
        try await witness.perform(.notifyBytes(machine: machine, [1, 2, 3]))
        try await witness.hears("GATT objects: Value = 01 02 03")
      }
    },
    Behaviour("A second subscription by the same client, and its end", from: .connected, of: framed)
    { witness in
      try await witness.characteristic("StartNotify")
      try await witness.characteristic("StartNotify")
      try await witness.characteristic("StopNotify")
      try await witness.characteristic("StopNotify")
      try await witness.write(start)
    },
    Behaviour("A subscription to what doesn't notify", from: .connected) { witness in
      try await witness.characteristic("StartNotify")
    },
    Behaviour("A subscription that the machine refuses", from: .connected, of: framed) { witness in
      for (name, message) in [
        ("NotPermitted", "Write not permitted"),
        ("Failed", "Operation failed with ATT error: 0x80"),
      ] {
        let error = DBusError(name: "org.bluez.Error.\(name)", message: message)
        try await witness.perform(
          .fault(machine: machine, .failNotify(error), .once),
          as: message
        )
        try await witness.characteristic("StartNotify")
      }
    },
    Behaviour("The link falls while a subscription is under way", from: .connected, of: framed) {
      witness in
      try await witness.perform(.fault(machine: machine, .slowNotify(.seconds(9)), .once))
      async let subscription: Void = witness.characteristic("StartNotify")
      try await witness.hears("> StartNotify")
      try await witness.pause(.seconds(1))
      try await witness.perform(.drop(machine: machine))
      try await subscription
    },
    Behaviour("A subscription outlasts its link", from: .connected, of: framed) { witness in
      try await witness.characteristic("StartNotify")
      try await witness.disconnect()
      try await witness.begin()
      try await witness.characteristic("StartNotify")
      try await witness.connect()
      try await witness.write(start)
      try await witness.hears(completed)
    },
    Behaviour("A subscription that the next link refuses", from: .connected, of: framed) {
      witness in
      try await witness.characteristic("StartNotify")
      try await witness.disconnect()
      try await witness.begin()
      let error = DBusError(name: "org.bluez.Error.NotPermitted", message: "Write not permitted")
      try await witness.perform(.fault(machine: machine, .failNotify(error), .once))
      try await witness.connect()
      try await witness.write(start)
      try await witness.hush()
      try await witness.characteristic("StartNotify")
      try await witness.write(start)
      try await witness.hears(completed)
    },
    Behaviour("A subscription that takes long at the next link", from: .connected, of: framed) {
      witness in
      try await witness.characteristic("StartNotify")
      try await witness.disconnect()
      try await witness.begin()
      try await witness.perform(.fault(machine: machine, .slowNotify(.seconds(3)), .once))
      await witness.device("Connect")
      try await witness.pause(.seconds(1))
      try await witness.characteristic("StartNotify")
      try await witness.hears("machine: ServicesResolved = true")
      try await witness.write(start)
      try await witness.hears(completed)
    },
    Behaviour("A subscription without a link", from: .connected, of: framed) { witness in
      try await witness.disconnect()
      try await witness.begin()
      try await witness.characteristic("StartNotify")
      try await witness.connect()
      try await witness.write(start)
      try await witness.hears(completed)
    },
  ]

  private static let environment: [Behaviour] = [
    Behaviour(
      "bluetoothd is killed and started while a machine is connected",
      from: .connected,
      isCore: true
    ) {
      witness in
      try await witness.perform(.down)
      try await witness.hears("bluetoothd is gone")
      // Until the kernel has closed the link: it takes 2 s.
      try await witness.pause(.seconds(4))
      try await witness.perform(.up)
      try await witness.hears("+ machine")
    },
    Behaviour("bluetoothd is killed while a Connect is pending", from: .away) { witness in
      async let connect: Void = witness.device("Connect")
      try await witness.hears("> Connect")
      try await witness.pause(.seconds(1))
      try await witness.perform(.down)
      try await witness.hears("bluetoothd is gone")
      await connect
      try await witness.perform(.up)
      try await witness.hears("+ machine")
    },
    Behaviour("The adapter is switched off and on while a machine is connected", from: .connected) {
      witness in
      await witness.set(power: false)
      try await witness.hearsAdapterIsOff()
      await witness.set(power: true)
      try await witness.hears("hci0: Powered = true")
    },
    Behaviour("The adapter is switched off during a scan", from: .unknown) { witness in
      try await witness.scan()
      await witness.set(power: false)
      try await witness.hearsAdapterIsOff()
      await witness.adapter("StartDiscovery")
      await witness.device("Connect")
    },
    Behaviour("rfkill blocks the adapter while a machine is connected", from: .connected) {
      witness in
      try await witness.perform(.power(adapter: "hci0", .blocked), as: "rfkill block")
      try await witness.hearsAdapterIsOff()
      await witness.set(power: true)
      try await witness.perform(.power(adapter: "hci0", .unblocked), as: "rfkill unblock")
      try await witness.hears("hci0: Powered = true")
    },
    Behaviour(
      "The adapter is unplugged and plugged in while a machine is connected",
      from: .connected
    ) { witness in
      try await witness.perform(.removeAdapter("hci0", .success))
      try await witness.hears("- hci0")
      try await witness.perform(.addAdapter(MockAdapter("hci0")))
      try await witness.hears("+ machine")
    },
  ]
}
