/// What happened in the mock, for tests and, as one JSON object a line, for people.
package struct MockEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The machine received these bytes.
    case write(MockWrite, machine: MockAddress)
    /// A client called a method of bluetoothd. A property's Set is `Set Powered`.
    case called(method: String, adapter: String?, machine: MockAddress?, client: String)
    /// The link is up, `Connected` true.
    case connected(machine: MockAddress, adapter: String)
    case resolved(machine: MockAddress, adapter: String)
    case disconnected(machine: MockAddress, adapter: String, reason: MockLoss)
    /// A device object was exported.
    case appeared(machine: MockAddress, adapter: String)
    case removed(machine: MockAddress, adapter: String)
    /// A client set its filter; the transport is `auto`, `bredr` or `le`.
    case discoveryFiltered(adapter: String, client: String, transport: String)
    case discoveryStarted(adapter: String, client: String)
    case discoveryStopped(adapter: String, client: String)
    case powered(adapter: String, Bool)
    case verb(String)
    /// bluetoothd owns its name, or lost it.
    case up
    case down
  }

  package var kind: Kind
  /// `CLOCK_BOOTTIME` in seconds.
  package var time: Double
}

/// Why a link ended.
package enum MockLoss: String, Hashable, Sendable {
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
  package enum Form: String, Hashable, Sendable {
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
  private enum Key: String, CodingKey {
    case event, machine, value, hex, type, t, method, adapterName, client, cause, verb, on,
      transport
  }

  package func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    // Microseconds are enough, and keep binary fractions out of the text.
    try json.encode((time * 1e6).rounded() / 1e6, forKey: .t)
    func encode(_ event: String, _ fields: [(Key, String?)]) throws {
      try json.encode(event, forKey: .event)
      for (key, value) in fields { try json.encodeIfPresent(value, forKey: key) }
    }
    switch kind {
    case .write(let write, let machine):
      let text = write.text
      let isText = text.map { Array($0.utf8) } == write.value
      let hex = isText ? nil : write.value.map(\.hexadecimal).joined()
      try encode(
        "write",
        [
          (.machine, machine.string), (.value, text), (.hex, hex), (.type, write.form.rawValue),
        ]
      )
    case .called(let method, let adapter, let machine, let client):
      try encode(
        "call",
        [
          (.method, method), (.adapterName, adapter), (.machine, machine?.string),
          (.client, client),
        ]
      )
    case .connected(let machine, let adapter):
      try encode("connected", [(.machine, machine.string), (.adapterName, adapter)])
    case .resolved(let machine, let adapter):
      try encode("resolved", [(.machine, machine.string), (.adapterName, adapter)])
    case .disconnected(let machine, let adapter, let reason):
      try encode(
        "disconnected",
        [(.machine, machine.string), (.adapterName, adapter), (.cause, reason.rawValue)]
      )
    case .appeared(let machine, let adapter):
      try encode("appeared", [(.machine, machine.string), (.adapterName, adapter)])
    case .removed(let machine, let adapter):
      try encode("removed", [(.machine, machine.string), (.adapterName, adapter)])
    case .discoveryFiltered(let adapter, let client, let transport):
      try encode(
        "discoveryFilter",
        [(.adapterName, adapter), (.client, client), (.transport, transport)]
      )
    case .discoveryStarted(let adapter, let client):
      try encode("discoveryStarted", [(.adapterName, adapter), (.client, client)])
    case .discoveryStopped(let adapter, let client):
      try encode("discoveryStopped", [(.adapterName, adapter), (.client, client)])
    case .powered(let adapter, let isOn):
      try encode("powered", [(.adapterName, adapter)])
      try json.encode(isOn, forKey: .on)
    case .verb(let verb): try encode("verb", [(.verb, verb)])
    case .up: try encode("up", [])
    case .down: try encode("down", [])
    }
  }
}
