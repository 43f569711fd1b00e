import ControlProtocol
import DBus
import Programs
import Testing

@testable import BlueZ
@testable import Doctor
@testable import MachineLink
@testable import TestSupport

/// What facts mean for a link, without a bus or a kernel.
struct DiagnosisTests {
  private static let first = HostController(
    index: 0,
    address: BluetoothAddress("AA:BB:CC:DD:EE:01")
  )
  private static let second = HostController(
    index: 1,
    address: BluetoothAddress("AA:BB:CC:DD:EE:02")
  )

  private static let secondIsUsed = [
    "note adapter: there are 2 adapters: a link uses hci1"
      + " → give --adapter AA:BB:CC:DD:EE:02 to use it in any case"
  ]

  /// It knows the machine.
  private static func addSecondAdapter(_ bluez: inout BlueZModel) {
    bluez.radios.append(.init(path: BlueZModel.secondAdapter, address: "AA:BB:CC:DD:EE:02"))
    bluez.peers = [.init(address: BlueZModel.machineAddress, adapter: BlueZModel.secondAdapter)]
  }

  private static let blank = HostController(index: 0, address: nil, bus: "UART", isUp: false)
  private static let raspberryPi = "Raspberry Pi 4 Model B Rev 1.4"
  private static let onBoard = HostController(
    index: 0,
    address: BluetoothAddress("AA:BB:CC:DD:EE:01"),
    bus: "UART"
  )
  private static let healthy = KernelView(
    controllers: .success([first]),
    switches: [RadioSwitch(number: 0, name: "hci0", controller: 0, block: nil)]
  )

  /// A case: what is changed in a healthy box, and what the findings then are, those that are `ok`
  /// left out.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var findings: [String]
    var change: @Sendable (inout Diagnosis, inout BlueZModel) -> Void

    init(
      _ what: String,
      _ findings: [String] = [],
      change: @escaping @Sendable (inout Diagnosis, inout BlueZModel) -> Void
    ) {
      testDescription = what
      self.findings = findings
      self.change = change
    }
  }

  private static func blocked(
    _ block: RadioSwitch.Block?,
    of controller: Int?,
    among controllers: [HostController] = [first]
  ) -> KernelView {
    KernelView(
      controllers: .success(controllers),
      switches: [RadioSwitch(number: 0, name: "sw", controller: controller, block: block)]
    )
  }

  private static let unreachable = LinkFault.busUnreachable(
    BlueZError(kind: .other, name: "x", message: "No such file.")
  )
  private static let refused = LinkFault.busUnreachable(
    BlueZError("org.freedesktop.DBus.Error.AccessDenied", "Not allowed.")
  )
  private static let unplug = "plug one in; `lsusb` and `dmesg` show whether the box detects it"

  private static func remembered(
    _ address: String,
    isSimulated: Bool = false
  ) -> RememberedMachine {
    RememberedMachine(
      address: BluetoothAddress(address)!,
      addressType: .random,
      name: nil,
      profile: "ball-machine",
      adapter: first.address!,
      isSimulated: isSimulated
    )
  }

  private static let heard = SeenDevice(
    address: BlueZModel.machineAddress,
    name: "BallMachine",
    rssi: -60,
    profile: "ball-machine",
    standing: .certain,
    connected: false
  )

  private static func service(_ role: ControlRole, _ link: LinkRecord? = nil) -> ServiceAnswer.State
  {
    ServiceAnswer.State(hello: HelloRecord(version: "1", role: role, mode: nil), link: link)
  }

  private static func link(_ bluez: inout BlueZModel) {
    bluez.peers[0].isConnected = true
    bluez.peers[0].isResolved = true
    bluez.peers[0].rssi = nil
  }

  static let cases: [Case] = [
    Case("all is well") { _, _ in },
    // The bus and bluetoothd
    Case(
      "no bus",
      [
        "problem bus: no such file"
          + " → check that the D-Bus daemon runs and that --bus names it"
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = unreachable
      bluez.isBusConnected = false
    },
    Case(
      "no bluetoothd",
      ["problem bluetoothd: bluetoothd is not running → run `systemctl start bluetooth`"]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceAbsent
      bluez.owner = nil
    },
    Case(
      "no bluetoothd for want of an adapter",
      [
        "problem bluetoothd: bluetoothd is not running: systemd does not start it without an adapter",
        "problem kernel: the kernel sees no Bluetooth adapter → " + unplug,
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceAbsent
      diagnosis.kernel = KernelView(controllers: .success([]))
      bluez.owner = nil
    },
    // As a service's sandbox sees it.
    Case(
      "no bluetoothd, and no sight of adapters",
      [
        "problem bluetoothd: bluetoothd is not running → run `systemctl start bluetooth`",
        "problem kernel: this kernel has no Bluetooth"
          + " → run `modprobe bluetooth`; in a container, use the host's network",
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceAbsent
      diagnosis.kernel = KernelView(controllers: .failure(.noBluetooth))
      bluez.owner = nil
    },
    Case(
      "a bluetoothd that hangs",
      ["problem bluetoothd: bluetoothd does not answer → run `systemctl restart bluetooth`"]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceSilent(BlueZError(kind: .timedOut, name: "x", message: "silent"))
      bluez.owner = nil
    },
    Case(
      "a bluetoothd that refuses",
      [
        "problem bluetoothd: bluetoothd does not list its objects (x: no)"
          + " → run `systemctl restart bluetooth`"
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceSilent(BlueZError(kind: .other, name: "x", message: "no"))
      bluez.owner = nil
    },
    Case(
      "a bluetoothd that this user may not talk to",
      [
        "problem permission: this user may not use bluetoothd"
          + " (org.freedesktop.DBus.Error.AccessDenied: Rejected.) → run it as root, or as a user of"
          + " the group bluetooth (`adduser USER bluetooth`, then log in again)"
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceSilent(
        BlueZError("org.freedesktop.DBus.Error.AccessDenied", "Rejected.")
      )
      bluez.owner = nil
    },
    Case(
      "a bus that hangs",
      [
        "problem bus: the bus does not answer"
          + " → check that the D-Bus daemon runs and that --bus names it"
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = .busUnreachable(BlueZError(kind: .timedOut, name: "x", message: "silent"))
      bluez.isBusConnected = false
    },
    // The kernel
    Case(
      "no Bluetooth in the kernel",
      [
        "problem kernel: this kernel has no Bluetooth"
          + " → run `modprobe bluetooth`; in a container, use the host's network",
        "problem adapter: there is no Bluetooth adapter"
          + " → plug the adapter in, or check it with `lsusb` and `rfkill`",
      ]
    ) { diagnosis, bluez in
      diagnosis.kernel = KernelView(controllers: .failure(.noBluetooth))
      bluez.radios = []
    },
    Case(
      "no adapter anywhere",
      [
        "problem kernel: the kernel sees no Bluetooth adapter → " + unplug,
        "problem adapter: bluetoothd shows no adapter either",
      ]
    ) { diagnosis, bluez in
      diagnosis.kernel = KernelView(controllers: .success([]))
      bluez.radios = []
    },
    Case(
      "a kernel that does not answer",
      ["note kernel: the kernel does not list its Bluetooth adapters (errno 1)"]
    ) { diagnosis, _ in
      diagnosis.kernel = KernelView(controllers: .failure(.system(errno: 1)))
    },
    Case(
      "a controller without firmware",
      [
        "note kernel: hci0 (UART) has no address: its firmware may be missing"
          + " → look for hci0 in `dmesg`",
        "problem adapter: the kernel has the Bluetooth adapter hci0, but bluetoothd does not"
          + " show it → run `systemctl restart bluetooth`; `dmesg` may show why",
      ]
    ) { diagnosis, bluez in
      diagnosis.kernel = KernelView(controllers: .success([blank]))
      bluez.radios = []
    },
    // A Raspberry Pi
    Case(
      "a Raspberry Pi whose own Bluetooth is switched off",
      [
        "problem kernel: the kernel sees no Bluetooth adapter → remove `dtoverlay=disable-bt` from"
          + " /boot/firmware/config.txt, if it is there, and reboot; `sudo dmesg` tells what else failed."
          + " Or plug in a USB adapter",
        "problem adapter: bluetoothd shows no adapter either",
      ]
    ) { diagnosis, bluez in
      diagnosis.board.model = raspberryPi
      diagnosis.kernel = KernelView(controllers: .success([]))
      bluez.radios = []
    },
    Case(
      "a Raspberry Pi without its firmware",
      [
        "note kernel: hci0 (UART) has no address: its firmware may be missing → install Debian's"
          + " package bluez-firmware, and reboot; look for hci0 in `dmesg`",
        "problem adapter: the kernel has the Bluetooth adapter hci0, but bluetoothd does not"
          + " show it → run `systemctl restart bluetooth`; `dmesg` may show why",
      ]
    ) { diagnosis, bluez in
      diagnosis.board.model = raspberryPi
      diagnosis.kernel = KernelView(controllers: .success([blank]))
      bluez.radios = []
    },
    Case(
      "a Raspberry Pi with Wi-Fi",
      [
        "note kernel: hci0 and Wi-Fi (wlan0) share an antenna: on 2.4 GHz each disturbs the other → if"
          + " the link fails, use a network cable, a network on 5 GHz, or a Bluetooth adapter at USB"
      ]
    ) { diagnosis, _ in
      diagnosis.board.model = raspberryPi
      diagnosis.board.wifi = ["wlan0"]
      diagnosis.kernel.controllers = .success([onBoard])
    },
    Case("a Raspberry Pi at a cable") { diagnosis, _ in
      diagnosis.board.model = raspberryPi
      diagnosis.kernel.controllers = .success([onBoard])
    },
    Case("a Raspberry Pi with an adapter of its own at USB") { diagnosis, _ in
      diagnosis.board.model = raspberryPi
      diagnosis.board.wifi = ["wlan0"]
    },
    Case("another board's UART and Wi-Fi") { diagnosis, _ in
      diagnosis.board.model = "Some Board"
      diagnosis.board.wifi = ["wlan0"]
      diagnosis.kernel.controllers = .success([onBoard])
    },
    Case(
      "errors on the way to the controller",
      [
        "note kernel: hci0 AA:BB:CC:DD:EE:01 (USB) is up, with 3 receive and 0 send errors"
          + " → if they grow, try another USB port, without a hub or an extension"
      ]
    ) { diagnosis, _ in
      var worn = first
      worn.receiveErrors = 3
      diagnosis.kernel.controllers = .success([worn])
    },
    Case(
      "a kernel that dies of adapters that go",
      [
        "note kernel: Linux 6.1.0-56-amd64 may not survive an adapter that is switched off, blocked"
          + " or unplugged while a connection is being waited for"
          + " → boot Debian's 6.1.0-54, or end the bridge first; if Bluetooth is stuck after it, reboot"
      ]
    ) { diagnosis, _ in
      diagnosis.kernel.release = "6.1.0-56-amd64"
    },
    Case(
      "the same kernel, not from Debian",
      [
        "note kernel: Linux 6.1.192 may not survive an adapter that is switched off, blocked"
          + " or unplugged while a connection is being waited for"
          + " → boot Debian's 6.1.0-54, or end the bridge first; if Bluetooth is stuck after it, reboot"
      ]
    ) { diagnosis, _ in
      diagnosis.kernel.release = "6.1.192"
    },
    Case("Debian's kernel before it") { diagnosis, _ in
      diagnosis.kernel.release = "6.1.0-54-amd64"
    },
    Case("an old kernel of the series") { diagnosis, _ in
      diagnosis.kernel.release = "6.1.21-v8+"
    },
    Case("a kernel that nobody has tried") { diagnosis, _ in
      diagnosis.kernel.release = "6.12.1"
    },
    // The switches
    Case(
      "a soft block",
      [
        "problem rfkill: sw: Bluetooth is blocked by rfkill → run `rfkill unblock bluetooth`",
        "note adapter: hci0 AA:BB:CC:DD:EE:01 is off",
      ]
    ) { diagnosis, bluez in
      diagnosis.kernel = blocked(.soft, of: 0)
      bluez.radios[0].isPowered = false
    },
    Case(
      "a hard block",
      [
        "problem rfkill: sw: Bluetooth is blocked by a switch or key on the box"
          + " → turn Bluetooth on by that switch or key, or in the BIOS",
        "note adapter: hci0 AA:BB:CC:DD:EE:01 is off",
      ]
    ) { diagnosis, bluez in
      diagnosis.kernel = blocked(.hard, of: 0)
      bluez.radios[0].isPowered = false
    },
    Case(
      "a soft block, and no bluetoothd",
      [
        "problem bluetoothd: bluetoothd is not running → run `systemctl start bluetooth`",
        "problem rfkill: sw: Bluetooth is blocked by rfkill → run `rfkill unblock bluetooth`",
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceAbsent
      diagnosis.kernel = blocked(.soft, of: 0)
      bluez.owner = nil
    },
    Case(
      "a block of an adapter that is not ours",
      ["note rfkill: sw: Bluetooth is blocked by rfkill"]
    ) { diagnosis, _ in
      diagnosis.kernel = blocked(.soft, of: 1, among: [first, second])
    },
    Case(
      "a block of one of two, and no bluetoothd",
      [
        "problem bluetoothd: bluetoothd is not running → run `systemctl start bluetooth`",
        "note rfkill: sw: Bluetooth is blocked by rfkill",
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceAbsent
      diagnosis.kernel = blocked(.soft, of: 1, among: [first, second])
      bluez.owner = nil
    },
    Case(
      "a block of the pinned one, and no bluetoothd",
      [
        "problem bluetoothd: bluetoothd is not running → run `systemctl start bluetooth`",
        "problem rfkill: sw: Bluetooth is blocked by rfkill → run `rfkill unblock bluetooth`",
      ]
    ) { diagnosis, bluez in
      diagnosis.fault = .serviceAbsent
      diagnosis.configuration.adapter = AdapterReference(second.address!)
      diagnosis.kernel = blocked(.soft, of: 1, among: [first, second])
      bluez.owner = nil
    },
    Case(
      "a switch of the box's own that took the adapter away",
      [
        "problem kernel: the kernel sees no Bluetooth adapter → " + unplug,
        "problem rfkill: sw: Bluetooth is blocked by rfkill → run `rfkill unblock bluetooth`",
        "problem adapter: bluetoothd shows no adapter either",
      ]
    ) { diagnosis, bluez in
      diagnosis.kernel = blocked(.soft, of: nil, among: [])
      bluez.radios = []
    },
    Case(
      "a switch of the box's own, and an adapter of ours",
      ["note rfkill: sw: Bluetooth is blocked by rfkill"]
    ) { diagnosis, _ in
      diagnosis.kernel = blocked(.soft, of: nil)
    },
    // BlueZ's adapters
    Case(
      "an adapter that is off",
      [
        "note adapter: hci0 AA:BB:CC:DD:EE:01 is off: a bridge that starts switches it on,"
          + " one that runs waits → run `bluetoothctl power on`"
      ]
    ) { _, bluez in
      bluez.radios[0].isPowered = false
    },
    Case(
      "an adapter that was switched off under a bridge",
      [
        "problem adapter: hci0 AA:BB:CC:DD:EE:01 was switched off: the bridge waits until it is"
          + " switched on again → run `bluetoothctl power on`",
        "note lock: process 812, another ballmachine, controls the machine"
          + " → end it before you send by hand",
      ]
    ) { diagnosis, bluez in
      diagnosis.holder = 812
      bluez.radios[0].isPowered = false
    },
    Case(
      "an adapter that bluetoothd does not show",
      [
        "problem adapter: the kernel has the Bluetooth adapter hci0 AA:BB:CC:DD:EE:01, but"
          + " bluetoothd does not show it"
          + " → run `systemctl restart bluetooth`; `dmesg` may show why"
      ]
    ) { _, bluez in
      bluez.radios = []
    },
    Case(
      "a pinned adapter that is missing",
      [
        "problem adapter: the Bluetooth adapter AA:BB:CC:DD:EE:02 is missing"
          + " → plug it in again; `ballmachine doctor` shows which adapters are there"
      ]
    ) { diagnosis, _ in
      diagnosis.configuration.adapter = AdapterReference(second.address!)
    },
    Case(
      "two adapters, none pinned",
      [
        "note adapter: there are 2 adapters: a link uses hci0"
          + " → give --adapter AA:BB:CC:DD:EE:01 to use it in any case"
      ]
    ) { _, bluez in
      bluez.radios.append(.init(path: BlueZModel.secondAdapter, address: "AA:BB:CC:DD:EE:02"))
    },
    Case(
      "two adapters, of which the second knows the machine",
      secondIsUsed
    ) { diagnosis, bluez in
      addSecondAdapter(&bluez)
      diagnosis.configuration.remembered = [
        RememberedMachine(
          address: BluetoothAddress(BlueZModel.machineAddress)!,
          addressType: .random,
          name: nil,
          profile: "ball-machine",
          adapter: second.address!,
          isSimulated: false
        )
      ]
    },
    Case(
      "two adapters, of which the service uses the second",
      []
    ) { diagnosis, bluez in
      addSecondAdapter(&bluez)
      var link = LinkRecord(state: "ready")
      link.adapter = "AA:BB:CC:DD:EE:02"
      diagnosis.service = service(.reader, link)
    },
    Case("two adapters, one pinned, the other off", ["note adapter: hci1 AA:BB:CC:DD:EE:02 is off"])
    { diagnosis, bluez in
      diagnosis.configuration.adapter = AdapterReference(first.address!)
      bluez.radios.append(
        .init(path: BlueZModel.secondAdapter, address: "AA:BB:CC:DD:EE:02", isPowered: false)
      )
    },
    Case(
      "an adapter that is no central",
      [
        "problem adapter: hci0 AA:BB:CC:DD:EE:01 can't connect to machines: it lacks the LE central"
          + " role → use another adapter, with Bluetooth 4.0 or newer"
      ]
    ) { _, bluez in
      bluez.radios[0].roles = ["peripheral"]
    },
    Case(
      "somebody else's scan",
      [
        "note adapter: hci0 AA:BB:CC:DD:EE:01 is on, and another program scans on it: connecting"
          + " takes longer → end that scan, in `bluetoothctl` or a desktop's Bluetooth settings"
      ]
    ) { _, bluez in
      bluez.radios[0].isDiscovering = true
    },
    Case(
      "a bridge that scans",
      [
        "note lock: process 812, another ballmachine, controls the machine"
          + " → end it before you send by hand"
      ]
    ) { diagnosis, bluez in
      bluez.radios[0].isDiscovering = true
      diagnosis.holder = 812
    },
    // The machine
    Case(
      "a machine that was never seen",
      [
        "note machine: BlueZ does not know a machine yet: a link begins with a scan"
          + " → `ballmachine scan` lists the machines in range"
      ]
    ) { _, bluez in
      bluez.peers = []
    },
    Case(
      "another machine than the wanted one",
      [
        "note machine: BlueZ does not know F0:00:00:00:00:09 yet: a link begins with a scan"
          + " → `ballmachine scan` lists the machines in range"
      ]
    ) { diagnosis, _ in
      diagnosis.configuration.address = BluetoothAddress("F0:00:00:00:00:09")
    },
    Case(
      "another machine than the remembered one",
      [
        "note machine: BlueZ does not know F0:00:00:00:00:09 (remembered): a link scans for it and no"
          + " other → give --forget-machine to `serve` or `send` if it is another machine now"
      ]
    ) { diagnosis, _ in
      diagnosis.configuration.remembered = [remembered("F0:00:00:00:00:09")]
    },
    Case(
      "a name that only looks like the wanted one",
      [
        "note machine: no machine has the name BallMachine, but one looks like it:"
          + " F0:F1:F2:F3:F4:F5 BallMachine\\u0020 → choose it with --address F0:F1:F2:F3:F4:F5, or in"
          + " bash with --name $'BallMachine\\u0020'"
      ]
    ) { diagnosis, bluez in
      diagnosis.configuration.name = "BallMachine"
      bluez.peers[0].name = "BallMachine "
    },
    Case(
      "the remembered machine's address as one of another type",
      [
        "note machine: the remembered machine F0:F1:F2:F3:F4:F5 had a random address, and what is in"
          + " range has the same digits as a public one: it may be another device, or the machine's"
          + " firmware has changed → if it is the same machine, give --address F0:F1:F2:F3:F4:F5, or start"
          + " once with --forget-machine"
      ]
    ) { diagnosis, bluez in
      diagnosis.configuration.remembered = [remembered(BlueZModel.machineAddress)]
      bluez.peers[0].isPublic = true
    },
    Case(
      "what has a machine's UUID alone",
      [
        "note machine: no machine is known to be in range; perhaps it is F0:F1:F2:F3:F4:F5 Ring"
          + " → if it is your ball machine, run `ballmachine adopt F0:F1:F2:F3:F4:F5`"
      ]
    ) { _, bluez in
      bluez.peers[0].name = "Ring"
    },
    Case(
      "a machine that BlueZ is told to block",
      [
        "problem machine: BlueZ has orders to block the machine F0:F1:F2:F3:F4:F5"
          + " → run `bluetoothctl unblock F0:F1:F2:F3:F4:F5`"
      ]
    ) { _, bluez in
      bluez.peers[0].isBlocked = true
    },
    Case("two machines, one of them remembered") { diagnosis, bluez in
      diagnosis.configuration.remembered = [remembered(BlueZModel.machineAddress)]
      bluez.peers.append(.init(address: "F0:00:00:00:00:02", adapter: BlueZModel.firstAdapter))
    },
    Case("a memory of a mock's machine, which says nothing") { diagnosis, _ in
      diagnosis.configuration.remembered = [remembered("F0:00:00:00:00:09", isSimulated: true)]
    },
    Case(
      "a name comes before memory",
      [
        "note machine: BlueZ does not know Other yet: a link begins with a scan"
          + " → `ballmachine scan` lists the machines in range"
      ]
    ) { diagnosis, _ in
      diagnosis.configuration.name = "Other"
      diagnosis.configuration.remembered = [remembered(BlueZModel.machineAddress)]
    },
    Case(
      "two machines",
      [
        "note machine: BlueZ knows 2 machines: F0:00:00:00:00:02 BallMachine,"
          + " F0:F1:F2:F3:F4:F5 BallMachine → choose one with --address"
      ]
    ) { _, bluez in
      bluez.peers.append(
        .init(address: "F0:00:00:00:00:02", adapter: BlueZModel.firstAdapter, rssi: nil)
      )
    },
    Case(
      "a machine that somebody else holds",
      [
        "note machine: BallMachine F0:F1:F2:F3:F4:F5 is connected, by another program or a bridge"
          + " that died: a link takes it over"
      ]
    ) { _, bluez in
      bluez.peers[0].isConnected = true
    },
    Case("a machine that the service holds", []) { diagnosis, bluez in
      bluez.peers[0].isConnected = true
      diagnosis.holder = 812
      diagnosis.service = service(.technician, LinkRecord(state: "ready"))
    },
    Case("a service that may not tell this user anything", []) { diagnosis, bluez in
      bluez.peers[0].isConnected = true
      diagnosis.holder = 812
      diagnosis.isServed = true
    },
    // Its command line names another machine and other UUIDs than the files.
    Case("a service whose link is as its command line says", []) { diagnosis, bluez in
      Self.link(&bluez)
      bluez.peers[0].name = "Gadget"
      bluez.peers[0].uuids = ["aaaa"]
      diagnosis.configuration.name = "BallMachine"
      var link = LinkRecord(state: "ready")
      link.machine = BlueZModel.machineAddress
      link.adapter = "\(first.address!)"
      link.profile = "configured"
      diagnosis.service = service(.technician, link)
    },
    Case("a service whose lock this user may not read", []) { diagnosis, bluez in
      bluez.peers[0].isConnected = true
      bluez.radios[0].isDiscovering = true
      diagnosis.service = service(.none)
    },
    Case(
      "a service that has no link",
      ["problem connection: the service has no link: connecting took too long → switch it on"]
    ) { diagnosis, _ in
      diagnosis.holder = 812
      var link = LinkRecord(state: "connecting")
      link.reason = "connecting took too long"
      link.remedy = "switch it on"
      diagnosis.service = service(.technician, link)
      diagnosis.trial = .left("process 812 controls the machine")
    },
    Case(
      "a machine that a bridge holds",
      [
        "note lock: process 812, another ballmachine, controls the machine"
          + " → end it before you send by hand"
      ]
    ) { diagnosis, bluez in
      bluez.peers[0].isConnected = true
      diagnosis.holder = 812
    },
    Case(
      "a machine that may be paged over BR/EDR",
      [
        "note machine: F0:F1:F2:F3:F4:F5 is public: BlueZ may try classic Bluetooth first, which"
          + " takes longer"
          + " → set `ControllerMode = le` in /etc/bluetooth/main.conf, then restart bluetoothd"
      ]
    ) { _, bluez in
      bluez.peers[0].isPublic = true
      bluez.radios[0].classOfDevice = 0x7c0104
    },
    // What it has for commands
    Case(
      "a machine with other UUIDs",
      [
        "note machine: BallMachine F0:F1:F2:F3:F4:F5 is connected, by another program or a bridge"
          + " that died: a link takes it over",
        "problem services: the machine has no usable command characteristic; it has"
          + " abcd1234-1234-1234-1234-abcdef123456 [notify] in 12345678-1234-1234-1234-123456789abc"
          + " → name the right UUIDs with --service and --characteristic",
      ]
    ) { _, bluez in
      link(&bluez)
      bluez.peers[0].table[0].flags = ["notify"]
    },
    Case(
      "a machine whose characteristic another program has taken",
      [
        "note machine: BallMachine F0:F1:F2:F3:F4:F5 is connected, by another program or a bridge"
          + " that died: a link takes it over",
        "problem services: another program has acquired the command characteristic"
          + " abcd1234-1234-1234-1234-abcdef123456"
          + " → end the program that called AcquireWrite, such as `bluetoothctl`",
      ]
    ) { _, bluez in
      link(&bluez)
      bluez.peers[0].table[0].isWriteAcquired = true
    },
    // A connection that was tried
    Case(
      "a machine that is off",
      [
        "problem signal: the machine is not seen"
          + " → check that the machine is on, near, and not connected to a phone"
      ]
    ) { diagnosis, _ in
      diagnosis.trial = .made(ConnectionTrial(fault: .machineNotSeen))
    },
    Case(
      "a machine that refuses",
      [
        "problem connection: connecting failed (x: no)"
          + " → check that the machine is on and near, and not connected to a phone"
      ]
    ) { diagnosis, _ in
      let error = BlueZError(kind: .other, name: "x", message: "no")
      diagnosis.trial = .made(ConnectionTrial(heard: heard, fault: .connectFailed(error)))
    },
    Case(
      "a machine with nothing to write to",
      [
        "problem services: the machine shows no GATT characteristics"
          + " → name the right UUIDs with --service and --characteristic"
      ]
    ) { diagnosis, _ in
      let fault = LinkFault.noUsableCharacteristic([])
      diagnosis.trial = .made(ConnectionTrial(heard: heard, fault: fault))
    },
    Case("a trial that was left", ["note connection: no connection was tried: the adapter is off"])
    { diagnosis, _ in
      diagnosis.trial = .left("the adapter is off")
    },
    Case("a public machine, and BR/EDR off") { _, bluez in
      bluez.peers[0].isPublic = true
    },
    Case("a random address, and BR/EDR on") { _, bluez in
      bluez.radios[0].classOfDevice = 0x7c0104
    },
  ]

  @Test(arguments: cases)
  func factsBecomeFindings(_ given: Case) {
    let findings = diagnosis(given).findings
    #expect(findings.filter { $0.verdict != .ok }.map(text) == given.findings)
    let places = findings.compactMap(\.subject).map(order)
    #expect(places == places.sorted(), "in the order of the way")
  }

  /// Every subject is there unless something before it hides it.
  @Test func aHealthyBoxIsToldLineByLine() {
    #expect(
      diagnosis(Self.cases[0]).findings.map(text) == [
        "ok bus: the bus answers",
        "ok bluetoothd: bluetoothd 5.66 is running",
        "ok permission: this user may use bluetoothd",
        "ok kernel: hci0 AA:BB:CC:DD:EE:01 (USB) is up",
        "ok rfkill: nothing blocks the radio",
        "ok adapter: hci0 AA:BB:CC:DD:EE:01 is on",
        "ok machine: BallMachine F0:F1:F2:F3:F4:F5 is known, not connected, heard just now at -60 dBm",
        "ok lock: no other ballmachine controls the machine",
      ]
    )
  }

  @Test func aMachineThatMemoryChoseIsToldSo() {
    let given = Case("") { diagnosis, _ in
      diagnosis.configuration.remembered = [Self.remembered(BlueZModel.machineAddress)]
    }
    #expect(
      diagnosis(given).findings.first { $0.subject == .machine }.map(text)
        == "ok machine: BallMachine F0:F1:F2:F3:F4:F5 (remembered) is known, not connected, heard just now"
        + " at -60 dBm"
    )
  }

  /// What a trial saw is told in full, while the object tree shows the machine as it is now.
  @Test func aConnectionThatWasMadeIsToldLineByLine() {
    var linked = BlueZModel()
    Self.link(&linked)
    linked.peers[0].table[0].mtu = 247
    let levels = linked.levels()
    let given = Case("") { diagnosis, _ in
      diagnosis.trial = .made(ConnectionTrial(heard: Self.heard, levels: levels))
    }
    #expect(
      diagnosis(given).findings.suffix(4).map(text) == [
        "ok signal: BallMachine F0:F1:F2:F3:F4:F5 is heard at -60 dBm",
        "ok connection: a connection was made, and ended again",
        "ok services: profile ball-machine: commands go to abcd1234-1234-1234-1234-abcdef123456,"
          + " acknowledged, MTU 247",
        "ok lock: no other ballmachine controls the machine",
      ]
    )
  }

  /// Nobody is disturbed, and nothing is tried that can't succeed.
  @Test func aConnectionIsOnlyTriedWhereItHarmsNobody() {
    func obstacle(_ change: @escaping @Sendable (inout Diagnosis, inout BlueZModel) -> Void)
      -> String?
    {
      diagnosis(Case("", change: change)).obstacleToTrial
    }
    #expect(obstacle { _, _ in } == nil)
    #expect(obstacle { diagnosis, _ in diagnosis.holder = 812 }?.contains("812") == true)
    #expect(
      obstacle { diagnosis, _ in diagnosis.service = Self.service(.none) }?
        .contains("the service") == true
    )
    #expect(obstacle { _, bluez in bluez.radios[0].isPowered = false } == "the adapter is off")
    #expect(obstacle { _, bluez in Self.link(&bluez) }?.contains("another program") == true)
    #expect(obstacle { _, bluez in bluez.radios = [] }?.contains("a problem above") == true)
  }

  @Test func everyCodeHasItsSubject() {
    #expect(
      Set(Finding.Code.allCases.map(\.subject))
        == Set(Finding.Subject.allCases)
    )
  }

  /// What is given away to others names nobody but us.
  @Test func strangersNamesAreLeftOutOfTheObjects() {
    let given = Case("") { _, bluez in
      bluez.peers.append(
        .init(address: "11:22:33:44:55:66", adapter: BlueZModel.firstAdapter, name: "Eve")
      )
      bluez.peers[1].uuids = ["180d"]
      Self.link(&bluez)
    }
    #expect(
      diagnosis(given).objectLines == [
        "adapter hci0 AA:BB:CC:DD:EE:01: on, class 0x0, roles central,peripheral,"
          + " bluetoothd 5.66",
        "  device 11:22:33:44:55:66: random, -60 dBm,"
          + " services 0000180d-0000-1000-8000-00805f9b34fb",
        "  device F0:F1:F2:F3:F4:F5: random, name BallMachine, connected, resolved,"
          + " services 12345678-1234-1234-1234-123456789abc",
        "    characteristic abcd1234-1234-1234-1234-abcdef123456 in"
          + " 12345678-1234-1234-1234-123456789abc: write",
      ]
    )
    #expect(
      diagnosis(given).ownAddresses.map(\.description).sorted() == [
        "AA:BB:CC:DD:EE:01", "F0:F1:F2:F3:F4:F5",
      ]
    )
  }

  @Test func aRefusalIsToldFromAnAbsence() {
    let refusals = [Self.refused, Self.unreachable].map { fault in
      diagnosis(Case("") { diagnosis, _ in diagnosis.fault = fault }).findings[0].isRefusal
    }
    #expect(refusals == [true, false])
  }

  private func diagnosis(_ given: Case) -> Diagnosis {
    var diagnosis = Diagnosis(configuration: LinkConfiguration(), kernel: Self.healthy)
    var bluez = BlueZModel()
    given.change(&diagnosis, &bluez)
    diagnosis.levels = bluez.levels()
    return diagnosis
  }

  private func text(_ finding: Finding) -> String {
    "\(finding.verdict) \(finding.check): \(finding.text)"
      + (finding.remedy.map { " → \($0)" } ?? "")
  }

  private func order(_ subject: Finding.Subject) -> Int {
    Finding.Subject.allCases.firstIndex(of: subject)!
  }
}
