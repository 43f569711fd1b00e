import ControlProtocol
import Host
import JSON

/// All phones that watch.
package final class Viewers: Sendable {
  /// The limits of unpaired phones, per address and in all, so that paired ones always get a connection.
  private static let mostOfAddress = 8
  private static let mostOfNetwork = 32
  private static let most = 40

  private let list = Locked<[ObjectIdentifier: Viewer]>([:])

  package init() {}

  package var isEmpty: Bool { list.withLock { $0.isEmpty } }

  /// The paired phones among them.
  package var phones: Set<Int> { list.withLock { Set($0.values.compactMap(\.phone)) } }

  /// Whether one more phone that is not paired may watch.
  package func hasRoom(for address: ClientAddress?) -> Bool {
    let others = list.withLock { $0.values.filter { $0.phone == nil } }
    let most = address?.isNetwork == true ? Self.mostOfNetwork : Self.mostOfAddress
    return others.count < Self.most && others.count { $0.address == address } < most
  }

  package func add(_ viewer: Viewer) { list.withLock { $0[ObjectIdentifier(viewer)] = viewer } }

  package func remove(_ viewer: Viewer) {
    list.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(viewer)) }
  }

  /// The streams of a phone that is no longer paired, say, end: its browser comes again as what it is.
  package func drop(phone: Int) { each { if $0.phone == phone { $0.drop() } } }

  package func report(_ news: BridgeAccess.News) {
    switch news {
    case .event("position", let record): send(record) { $0.send(.position, $1) }
    case .event(let name, let record): send(record) { $0.send(name, $1) }
    case .status(let record): send(record) { $0.send(.status, $1) }
    case .away(let reason):
      send(ServiceNews(running: false, reason: reason)) { $0.send(.service, $1) }
    }
  }

  /// The record is written once for all.
  private func send(_ record: some Encodable, _ body: (Viewer, [UInt8]) -> Void) {
    guard let line = try? JSONEncoding.line(record) else { return }
    each { body($0, line) }
  }

  private func each(_ body: (Viewer) -> Void) {
    for viewer in list.withLock({ Array($0.values) }) { body(viewer) }
  }
}

private struct ServiceNews: Encodable {
  var running: Bool
  var reason: String
}
