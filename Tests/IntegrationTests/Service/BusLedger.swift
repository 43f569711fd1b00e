import DBus
import TestSupport

/// Who has written what to a machine, as the bus itself passes it on, in its order.
///
/// What a client had sent before it was killed is on the bus before the bus tells that it is gone,
/// and nothing after: so the ledger knows of each write which process it had left.
final class BusLedger: Sendable {
  /// A WriteValue.
  struct Write: Hashable, Sendable {
    var client: String
    var digits: String

    var isBall: Bool { digits != CourtFacts.stop }
  }

  private enum Entry: Hashable, Sendable {
    case came(String)
    case left(String)
    case wrote(Write)

    var isLeaving: Bool { if case .left = self { true } else { false } }
    var write: Write? { if case .wrote(let write) = self { write } else { nil } }
  }

  private let bus: BusAddress
  private let monitor: BusMonitor
  private let journal = Journal<Entry>()
  private let reading: Task<Void, Never>

  init(_ bus: BusAddress) async throws {
    self.bus = bus
    let monitor = try await BusMonitor.start(bus, everybody: true)
    self.monitor = monitor
    reading = Task { [journal] in
      for await message in monitor.messages {
        if let entry = Self.entry(message) { await journal.append(entry) }
      }
    }
  }

  private static func entry(_ message: BusMessage) -> Entry? {
    switch (message.type, message.member) {
    case (.signal, "NameOwnerChanged"):
      guard let name = message.arguments.first?.string, name.hasPrefix(":") else { return nil }
      return message.arguments.last?.string == "" ? .left(name) : .came(name)
    case (.call, "WriteValue"):
      let bytes = message.arguments.first?.array?.compactMap(\.number).map { UInt8($0) } ?? []
      let digits = String(decoding: bytes, as: UTF8.self)
      return .wrote(Write(client: message.sender ?? "nobody", digits: digits))
    default: return nil
    }
  }

  func close() async {
    await monitor.stop()
    await reading.value
  }

  /// A place in the ledger: what comes next stands behind it.
  typealias Mark = Int

  var mark: Mark { get async { await journal.entries.count } }

  /// Returns with the first write of this kind that stands behind a mark.
  func firstWrite(after mark: Mark, isBall: Bool) async throws {
    let known = await Set(journal.entries.prefix(mark).compactMap { $0.write?.client })
    // Nobody's name is ever given to another one.
    try await journal.next(isBall ? "a ball" : "a stop command") { entry in
      entry.write.map { $0.isBall == isBall && !known.contains($0.client) } ?? false
    }
  }

  /// What they wrote who came after a mark, once all of them have left.
  func writesOfThoseWhoLeft(since mark: Mark) async throws -> [Write] {
    try await passBy()
    while true {
      let entries = await journal.entries.dropFirst(mark)
      let present = entries.reduce(into: Set<String>()) { present, entry in
        switch entry {
        case .came(let name): present.insert(name)
        case .left(let name): present.remove(name)
        case .wrote: break
        }
      }
      if present.isEmpty { return entries.compactMap(\.write) }
      try await journal.next("the leaving of \(present)", where: \.isLeaving)
    }
  }

  /// Comes to the bus and leaves again, so that the ledger tells of all who came to it before.
  ///
  /// A bus reads from each connection in turn: who has had two answers has seen everybody's turn.
  private func passBy() async throws {
    let connection = try await Connection.open(bus)
    let name = connection.uniqueName
    for _ in 1...2 {
      let call = MethodCall(
        destination: "org.freedesktop.DBus",
        path: .root,
        interface: "org.freedesktop.DBus.Peer",
        member: "Ping"
      )
      _ = try await connection.call(call)
    }
    await connection.close()
    try await journal.next("our own leaving") { $0 == .left(name) }
  }
}
