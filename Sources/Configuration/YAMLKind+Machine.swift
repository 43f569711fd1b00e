import CourtLogic
import Host
import MachineLink
import Positions
package import YAML

extension YAMLKind where Value == String {
  package static var bus: YAMLKind {
    YAMLKind(
      form: "system, session or a D-Bus address such as unix:path=/…",
      yaml: \.asYAML,
      read: { MachineSettings.isBus($0) ? $0 : nil }
    )
  }

  package static var deviceAddress: YAMLKind {
    YAMLKind(
      form: "a Bluetooth address such as F0:F1:F2:F3:F4:F5",
      yaml: \.asYAML,
      read: MachineSettings.address
    )
  }

  /// An adapter's address or present name.
  package static var adapter: YAMLKind {
    YAMLKind(
      form: "an adapter's address such as AA:BB:CC:DD:EE:01, or its name such as hci1",
      yaml: \.asYAML,
      read: MachineSettings.adapter
    )
  }

  /// A characteristic's UUID, handle or path.
  package static var characteristic: YAMLKind {
    YAMLKind(
      form: "a UUID such as ffe1, or a handle such as 0x0011 or char0011",
      yaml: \.asYAML,
      read: { MachineSettings.isCharacteristic($0) ? $0 : nil }
    )
  }

  /// A UUID of 16, 32 or 128 bits.
  package static var uuid: YAMLKind {
    YAMLKind(
      form: "a UUID such as ffe0 or 12345678-1234-1234-1234-123456789abc",
      yaml: \.asYAML,
      read: { MachineSettings.isUUID($0) ? $0 : nil }
    )
  }

  /// A group of the system, by its name, which is looked up when a client connects.
  static var group: YAMLKind { .text("the name of a group", longest: 32) }
}

extension YAMLKind where Value == [NamePattern] {
  static var namePatterns: YAMLKind {
    YAMLKind<NamePattern>(
      form: "a name, or at least 3 bytes and * for any end",
      yaml: { $0.description.asYAML },
      read: { NamePattern($0) }
    ).list("up to 16 names", count: 0...16, to: { $0 }, from: { $0 })
  }
}

extension YAMLKind where Value == MachineCommand {
  static var command: YAMLKind {
    YAMLKind(
      form: MachineEncoding.digits.form,
      yaml: { "\"\($0)\"" },
      read: { try? MachineCommand(digits: $0) }
    )
  }
}

extension YAMLKind where Value == Double {
  /// Seconds for one unit of a field, written in milliseconds: seconds with three decimals would be
  /// too coarse for raw units, of which there are 10,000.
  static var slew: YAMLKind {
    .number("a number of milliseconds", unit: "ms", in: 0.001...1000)
      .converted(to: { $0 / 1000 }, from: { $0 * 1000 })
  }
}

extension YAMLKind where Value == PositionSource {
  static var positions: YAMLKind {
    let path = YAMLKind<String>.path("a path, or unix:PATH for a socket")
    return YAMLKind(path.allowed, yaml: { "\($0)".asYAML }) {
      (node, file) throws(YAMLProblem) in
      if node.content == .plain("-") || node.content == .quoted("-") {
        throw node.isNot(path.allowed, "standard input is only for the command line")
      }
      var rest = node
      if let text = node.text, text.hasPrefix("unix:") {
        rest.content = .quoted(String(text.dropFirst("unix:".count)))
        return .socket(try path.parse(rest, file))
      }
      if let text = node.text, PositionSettings.isNetwork(text) {
        throw node.isNot(path.allowed, PositionSettings.noNetwork)
      }
      return .file(try path.parse(node, file))
    }
  }
}

extension YAMLKind where Value == JournalPriority {
  static var priority: YAMLKind {
    YAMLKind(
      form: "info, notice, warning or err",
      yaml: \.word,
      // No message has a lower priority than info.
      read: { text in JournalPriority.allCases.first { $0 != .debug && $0.word == text } }
    )
  }
}
