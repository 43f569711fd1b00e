package import Host
package import JSON

/// Follows the events of one service after the other.
package struct FollowedService: Sendable {
  package enum News: Sendable {
    /// A service is there, and its events begin: first its state.
    case here(ControlClient)
    /// An ``EventRecord``'s object.
    case event(JSONValue)
    /// So many events are missing: this reader was too slow.
    case dropped(Int)
    /// The service that was there has ended.
    case ended
    /// There is no service: why. A ``ControlClientError``, or what is wrong with its folder.
    case away(any Error)
  }

  /// Between two attempts to reach a service.
  private static let pause = Duration.seconds(1)

  private let directory: @Sendable () throws -> RuntimeDirectory
  private let player: Duration?

  /// - Parameters:
  ///   - directory: where the service is, asked for each attempt.
  ///   - player: the player's position is an event, too, at most so often.
  package init(
    player: Duration? = nil,
    in directory: @escaping @Sendable () throws -> RuntimeDirectory
  ) {
    self.directory = directory
    self.player = player
  }

  /// Follows until the task is cancelled, or `take` throws.
  package func follow(_ take: (News) async throws -> Void) async throws {
    while !Task.isCancelled {
      var news = News.ended
      var client: ControlClient?
      do { client = try await connected() } catch { news = .away(error) }
      if let client, !Task.isCancelled {
        try await take(.here(client))
        for await notification in client.notifications {
          switch notification {
          case .event(let event): try await take(.event(event))
          case .dropped(let count): try await take(.dropped(count))
          }
        }
      }
      // It is the task that ends, not the service.
      guard !Task.isCancelled else { return }
      try await take(news)
      try? await SystemClock().sleep(for: Self.pause)
    }
  }

  private func connected() async throws -> ControlClient {
    let directory = try directory()
    // An end doesn't wait for a service that takes its time.
    let client = try await waiting { try await ControlClient.connect(in: directory) }
    _ = try await client.call(.subscribe(player: player))
    return client
  }
}
