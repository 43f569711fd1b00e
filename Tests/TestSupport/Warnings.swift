import Synchronization

/// Keeps what a part warns of.
package final class Warnings: Sendable {
  private let texts = Mutex<[String]>([])

  package init() {}

  package func add(_ text: String) { texts.withLock { $0.append(text) } }

  package var all: [String] { texts.withLock(\.self) }
}
