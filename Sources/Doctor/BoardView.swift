package import Host
package import Programs

/// What the box's board shows of itself: its model, power supply, Wi-Fi and clock.
package struct BoardView: Hashable, Sendable {
  /// What its firmware calls it, such as `Raspberry Pi 4 Model B Rev 1.4`; nil: it has no device tree.
  package var model: String?
  /// Whether its supply's voltage has been too low in the last seconds; nil: it measures none.
  package var isUndervolted: Bool?
  /// The interfaces of Broadcom's Wi-Fi that have a connection, such as `wlan0`.
  package var wifi: [String] = []
  package var clock: Clock?

  /// The wall clock.
  package struct Clock: Hashable, Sendable {
    package var time: WallTime
    /// Whether a program keeps it right, by a time server or a receiver.
    package var isKept: Bool
  }

  package init() {}

  /// The present view of this box.
  ///
  /// - Parameter sysfs: the folder that stands for `/sys`.
  package init(sysfs: String) {
    model = KernelAttribute.text(in: "\(sysfs)/firmware/devicetree/base/model")
    isUndervolted = Self.entries("\(sysfs)/class/hwmon").lazy
      // Source: Linux drivers/hwmon/raspberrypi-hwmon.c, which asks the firmware every 2 s.
      .filter { KernelAttribute.text(in: "\($0)/name") == "rpi_volt" }
      .compactMap { KernelAttribute.text(in: "\($0)/in0_lcrit_alarm") }
      .first.map { $0 == "1" }
    wifi = Self.entries("\(sysfs)/class/net")
      .filter {
        Directory.target(ofLink: "\($0)/device/driver")?.hasSuffix("/brcmfmac") == true
          && KernelAttribute.text(in: "\($0)/operstate") == "up"
      }
      .map { String($0.split(separator: "/").last ?? "") }
    clock = isClockKept().map { Clock(time: WallTime(), isKept: $0) }
  }

  private static func entries(_ folder: String) -> [String] {
    ((try? Directory.names(in: folder)) ?? []).sorted().map { "\(folder)/\($0)" }
  }

  /// Whether its own Bluetooth is a chip at a UART that shares an antenna with Wi-Fi.
  package var isRaspberryPi: Bool { model?.hasPrefix("Raspberry Pi") == true }
}

extension BoardView {
  /// The program is newer than this: a clock that shows an earlier time is wrong.
  private static let earliest = WallTime(secondsSince1970: 1_767_225_600)  // 2026-01-01

  /// What it means for the box.
  package var findings: [Finding] { supply + clockFindings }

  private var supply: [Finding] {
    switch isUndervolted {
    case nil: []
    case false?: [.ok(.powerEnough, "the power supply holds its voltage")]
    case true?:
      [
        .problem(
          .powerLow,
          "the power supply's voltage is too low: USB, the radio and the card may fail",
          "use the supply made for the \(model ?? "board"), with its own cable"
        )
      ]
    }
  }

  private var clockFindings: [Finding] {
    guard let clock else { return [] }
    let text = "the clock shows \(clock.time.localDate)"
    let remedy = "connect the box to a network with a time server, or set it with `sudo date --set`"
    if clock.time.duration(since: Self.earliest) < .zero {
      let effect =
        "certificates are not valid yet, and logs have wrong times; balls don't depend on it"
      return [.problem(.clockUnset, "\(text): \(effect)", remedy)]
    }
    guard clock.isKept else {
      return [.note(.clockUnkept, "\(text), and no time server keeps it right", remedy)]
    }
    return [.ok(.clockKept, text)]
  }
}
