import JSON

/// What happened in the mock, for tests and, as one JSON object a line, for people.
package struct MockEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Mock: the machine received a value.
    case write(MockWrite, machine: MockAddress)
    /// Mock: a client called a method of bluetoothd. A property's Set is `Set Powered`.
    case called(method: String, adapterName: String?, machine: MockAddress?, client: String)
    /// Mock: the link is up, `Connected` true.
    case connected(machine: MockAddress, adapterName: String)
    /// Mock: the services are resolved.
    case resolved(machine: MockAddress, adapterName: String)
    /// Mock: the link is down.
    case disconnected(machine: MockAddress, adapterName: String, cause: MockLoss)
    /// Mock: a device was exported.
    case appeared(machine: MockAddress, adapterName: String)
    /// Mock: a device was removed.
    case removed(machine: MockAddress, adapterName: String)
    /// Mock: a client set its filter; the transport is `auto`, `bredr` or `le`.
    case discoveryFiltered(adapterName: String, client: String, transport: String)
    /// Mock: a client searches.
    case discoveryStarted(adapterName: String, client: String)
    /// Mock: a client has ended its search.
    case discoveryStopped(adapterName: String, client: String)
    /// Mock: the adapter was switched.
    case powered(adapterName: String, on: Bool)
    /// Mock: a verb of the script was carried out.
    case verb(String)
    /// Mock: org.bluez is there.
    case up
    /// Mock: org.bluez is gone.
    case down
  }

  package var kind: Kind
  /// `CLOCK_BOOTTIME` in seconds.
  package var time: Double

  /// When, in seconds of `CLOCK_BOOTTIME`, to the microsecond.
  private var t: Double { (time * 1e6).rounded() / 1e6 }
}

/// Why a link ended.
package enum MockLoss: String, Hashable, Encodable, Sendable {
  /// Disconnect or RemoveDevice.
  case local
  /// The machine ended it.
  case remote
  /// The machine fell silent.
  case timeout
  /// The link was never really established (reason 0x3e).
  case failedToEstablish = "failed-to-establish"
  case adapterOff = "adapter-off"
  case adapterGone = "adapter-gone"
  /// bluetoothd went away.
  case daemonGone = "daemon-gone"
}

/// A value that reached a machine.
package struct MockWrite: Hashable, Sendable {
  package enum Form: String, Hashable, Encodable, Sendable {
    /// Write Request: answered.
    case request
    /// Write Command: unanswered.
    case command
    /// Prepare and Execute Write: the value came in pieces.
    case long
  }

  package var characteristic: MockUUID
  package var value: [UInt8]
  package var form: Form
  /// The value when it is printable UTF-8; of a framed machine's command ``MockFrame/text``, and nil
  /// for what the machine ignores.
  package var text: String?

  package init(characteristic: MockUUID, value: [UInt8], form: Form) {
    self.characteristic = characteristic
    self.value = value
    self.form = form
    text = Self.printableText(value)
  }

  private static func printableText(_ value: [UInt8]) -> String? {
    guard let text = String(validating: value, as: UTF8.self) else { return nil }
    let isPrintable = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        false
      default: true
      }
    }
    return isPrintable ? text : nil
  }
}

extension MockEvent: Encodable {
  private enum Key: CodingKey {
    case event, t
  }

  /// Writes the kind's name as `event`, and its values beside that.
  package func encode(to encoder: any Encoder) throws {
    guard case .object(let kinds) = try JSONValue(encoding: kind), let (name, values) = kinds.first,
      case .object(var members) = values
    else { preconditionFailure("\(kind) is encoded as no object") }
    // What has no label.
    if let value = members.removeValue(forKey: "_0") {
      if case .object(let inner) = value {
        members.merge(inner) { $1 }
      } else {
        members[name] = value
      }
    }
    members[Key.event.stringValue] = .string(name)
    members[Key.t.stringValue] = .number(t)
    try members.encode(to: encoder)
  }
}

extension MockEvent.Kind: Encodable {
  private enum CodingKeys: String, CodingKey {
    case write, connected, resolved, disconnected, appeared, removed
    case discoveryStarted, discoveryStopped, powered, verb, up, down
    case called = "call"
    case discoveryFiltered = "discoveryFilter"
  }
}

extension MockWrite: Encodable {
  private enum Key: CodingKey {
    case type, value, hex
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(form, forKey: .type)
    try object.encodeIfPresent(text, forKey: .value)
    if text.map({ Array($0.utf8) }) != value {
      try object.encode(value.map(\.hexadecimal).joined(), forKey: .hex)
    }
  }
}
