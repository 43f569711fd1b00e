import ControlProtocol
import Host
import JSON

/// All phones that watch.
package final class Viewers: Sendable {
  private let list = Locked<[ObjectIdentifier: Viewer]>([:])

  package init() {}

  package var isEmpty: Bool { list.withLock { $0.isEmpty } }

  /// How many streams each paired phone has open.
  package var phones: [Int: Int] {
    list.withLock { list in
      list.values.reduce(into: [:]) { phones, viewer in
        if let phone = viewer.phone { phones[phone, default: 0] += 1 }
      }
    }
  }

  package func add(_ viewer: Viewer) { list.withLock { $0[ObjectIdentifier(viewer)] = viewer } }

  package func remove(_ viewer: Viewer) {
    list.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(viewer)) }
  }

  /// The streams of a phone that is no longer paired, say, end: its browser comes again as what it is.
  package func drop(phone: Int) { each { if $0.phone == phone { $0.drop() } } }

  package func tell(_ news: BridgeAccess.News) {
    switch news {
    case .event("position", let record):
      guard let line = try? JSONEncoding.line(record) else { return }
      each { $0.send(.position, line) }
    case .event(let name, let record):
      guard let line = try? JSONEncoding.line(record) else { return }
      each { $0.send(name, line) }
    case .status(let record):
      guard let line = try? JSONEncoding.line(record) else { return }
      each { $0.send(.status, line) }
    case .away(let reason):
      guard let line = try? JSONEncoding.line(ServiceNews(running: false, reason: reason)) else {
        return
      }
      each { $0.send(.service, line) }
    }
  }

  private func each(_ body: (Viewer) -> Void) {
    for viewer in list.withLock({ Array($0.values) }) { body(viewer) }
  }
}

private struct ServiceNews: Encodable {
  var running: Bool
  var reason: String
}
