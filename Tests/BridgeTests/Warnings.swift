import Synchronization

/// Keeps what a part warns of.
final class Warnings: Sendable {
  private let texts = Mutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  var all: [String] { texts.withLock(\.self) }
}
