import Foundation
import Host

/// Clients of a socket that takes lines who do what no client should, again and again, until they
/// leave.
final class HostileClients: Sendable {
  /// What each of them writes at once, on a connection that is new each time or stays.
  private enum Manner: CaseIterable {
    case flooding
    case halfLines
    case longLines
    case deepObjects
    case hangingUp

    var bytes: [UInt8] { Array(text.utf8) }

    private var text: String {
      switch self {
      case .flooding:
        String(repeating: #"{"jsonrpc": "2.0", "id": 1, "method": "status"}"# + "\n", count: 200)
      case .halfLines: #"{"jsonrpc": "2.0", "id"#
      case .longLines: String(repeating: "1", count: 10_000_000) + "\n"
      case .deepObjects:
        String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000) + "\n"
      case .hangingUp: #"{"jsonrpc": "2.0", "id": 1, "method": "status"}"# + "\n"
      }
    }

    /// Whether it comes back each time, and never reads what it is answered until then.
    var comesBack: Bool { self == .halfLines || self == .hangingUp }
  }

  private let times = Locked(0)
  private let tasks: Locked<[Task<Void, Never>]> = Locked([])

  /// - Parameter path: of the socket.
  init(of path: String) {
    let all = Manner.allCases.map { manner in
      Task { [times] in
        let bytes = manner.bytes
        var client: SocketFeeder?
        while !Task.isCancelled {
          if manner.comesBack { client?.close() }
          if manner.comesBack || client == nil { client = try? SocketFeeder(path) }
          if await client?.write(bytes) == true {
            times.withLock { $0 += 1 }
          } else {
            // It was thrown out.
            client = nil
          }
          try? await Task.sleep(for: .milliseconds(100))
        }
        client?.close()
      }
    }
    tasks.withLock { $0 = all }
  }

  /// How often one of them did it.
  var count: Int { times.withLock(\.self) }

  func leave() {
    for task in tasks.withLock(\.self) { task.cancel() }
  }
}
