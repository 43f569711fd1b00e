import Glibc
import Host

/// Which of the addresses that a host's name leads to a connection goes to: the first that lets it in, as
/// RFC 8305 has it. libmosquitto would wait for the first one until TCP gives it up.
package struct AddressChooser: Sendable {
  /// The numeric addresses of a broker's host, the preferred one first. On a thread of its own.
  package typealias LookUp = @Sendable (BrokerSettings) throws(MQTTFailure) -> [String]

  private let lookUp: LookUp
  private let limit: Duration

  /// - Parameter limit: in which one of several addresses must let a connection in.
  package init(
    within limit: Duration = .seconds(8),
    lookUp: @escaping LookUp = AddressChooser.system
  ) {
    self.limit = limit
    self.lookUp = lookUp
  }

  /// - Throws: ``MQTTFailure``, and `CancellationError`.
  func address(of broker: BrokerSettings, on executor: LoopExecutor) async throws -> String {
    let found = try await WaitingThread.value { [lookUp] in
      Result { () throws(MQTTFailure) in try lookUp(broker) }
    }.get()
    let addresses = Self.alternating(found)
    guard addresses.count > 1 else { return addresses.first ?? broker.host }
    return try await AddressRace(addresses, of: broker, within: limit, on: executor).winner()
  }

  /// Each once, and the families in turns, so that one that is out costs little.
  static func alternating(_ addresses: [String]) -> [String] {
    var all: [String] = []
    for address in addresses where !all.contains(address) { all.append(address) }
    let isSix = { (address: String) in address.contains { $0 == ":" } }
    guard let preferred = all.first.map(isSix) else { return [] }
    let first = all.filter { isSix($0) == preferred }
    let other = all.filter { isSix($0) != preferred }
    return (0..<max(first.count, other.count)).flatMap { index in
      [first, other].compactMap { $0.indices.contains(index) ? $0[index] : nil }
    }
  }

  /// As the system resolves names.
  package static func system(_ broker: BrokerSettings) throws(MQTTFailure) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(broker.host, nil, &hints, &found)
    guard status == 0 else {
      let system = String(cString: strerror(errno))
      let reason = status == EAI_SYSTEM ? system : String(cString: gai_strerror(status))
      throw MQTTFailure(.unknownHost, "can't look up \(broker.location): \(reason)")
    }
    defer { freeaddrinfo(found) }
    var addresses: [String] = []
    var next = found
    while let entry = next?.pointee {
      next = entry.ai_next
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let (count, flags) = (socklen_t(text.count), NI_NUMERICHOST)
      guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, count, nil, 0, flags) == 0 else {
        continue
      }
      let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      addresses.append(String(decoding: bytes, as: UTF8.self))
    }
    return addresses
  }
}
