package import ControlProtocol
package import Host
import JSON

/// The result of asking the service for its state on its control socket.
package enum ServiceAnswer: Hashable, Sendable {
  case state(State)
  /// No program listens at this path.
  case noListener(String)
  /// This user may not connect to this path.
  case refused(String)
  /// A program listens that does not answer as a service does; the text says how.
  case failed(String)

  package struct State: Hashable, Sendable {
    package var hello: HelloRecord
    /// The state of safety, as ``SafetyRecord/state`` says it; nil when this user may not see it.
    package var arming: String?
    /// Nil when this user may not see it.
    package var link: LinkRecord?
    /// For how many seconds the detector has said the same position; nil where that isn't worth
    /// telling.
    package var repeats: Double?
    /// The codes of ``SafetyRecord/holds``.
    package var holds: [String] = []
  }

  /// Whether a program listens.
  package var isThere: Bool {
    if case .noListener = self { false } else { true }
  }

  /// Asks the service that has its sockets in the directory.
  package init(in directory: RuntimeDirectory) async {
    do throws(ControlClientError) {
      let client = try await ControlClient.connect(in: directory)
      defer { client.close() }
      let status: JSONValue?
      if client.hello.role >= .reader {
        status = try await client.call(.status)
      } else {
        status = nil
      }
      self = .state(
        State(
          hello: client.hello,
          arming: status?["safety"]?["state"]?.string,
          link: try? status?["link"]?.decoded(as: LinkRecord.self),
          repeats: status?["player"]?["repeats"]?.number,
          holds: (try? status?["safety"]?.decoded(as: SafetyRecord.self))?.holds.map(\.code) ?? []
        )
      )
    } catch {
      switch error {
      case .noService(let path): self = .noListener(path)
      case .noPermission(let path): self = .refused(path)
      default: self = .failed("\(error)")
      }
    }
  }
}
