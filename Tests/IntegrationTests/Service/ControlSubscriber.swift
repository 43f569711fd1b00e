import Bridge
import Glibc
import Host
import TestSupport

/// A client of the control socket that subscribes, reads all that it is told, and counts the decisions
/// in it.
final class ControlSubscriber {
  private static let subscription = #"{"jsonrpc": "2.0", "id": 1, "method": "subscribe"}"# + "\n"
  private static let decision = #""event":"dispatch""#

  private let feeder: SocketFeeder
  private let count = Locked(0)
  /// Ends when the service has hung up, and all that it said before has been read.
  private let ending: AsyncStream<Never>

  /// - Parameter path: of the socket.
  init(of path: String) throws {
    feeder = try SocketFeeder(path)
    let (ending, continuation) = AsyncStream.makeStream(of: Never.self)
    self.ending = ending
    // What has been read of a decision's mark at the end of what came last.
    let rest = Locked<[UInt8]>([])
    IncomingBytes.read(feeder.descriptor.number) { [count] bytes in
      rest.withLock { rest in
        rest += bytes
        let found = Self.decisions(in: rest)
        count.withLock { $0 += found }
        rest.removeFirst(max(0, rest.count - Self.decision.utf8.count + 1))
      }
    } end: { [feeder] in
      withExtendedLifetime(feeder) { continuation.finish() }
    }
    feeder.writeNow(Self.subscription)
  }

  /// By a function of C's: it is told much.
  private static func decisions(in bytes: [UInt8]) -> Int {
    (bytes + [0]).withUnsafeBytes { bytes in
      var count = 0
      var rest = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      while let start = rest, let found = strstr(start, decision) {
        count += 1
        rest = UnsafePointer(found + decision.utf8.count)
      }
      return count
    }
  }

  /// Of how many decisions it was told.
  var decisions: Int { count.withLock(\.self) }

  /// Returns when the service has hung up.
  func isLeftAlone() async {
    for await _ in ending {}
  }

  /// One that asks and asks and never reads, until it is thrown out; it comes back then.
  static func deaf(of path: String) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        guard let client = try? SocketFeeder(path) else { return }
        defer { client.close() }
        guard await client.write(subscription) else { continue }
        let question = #"{"jsonrpc": "2.0", "id": 2, "method": "status"}"# + "\n"
        while !Task.isCancelled, await client.write(question) {
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }
}
