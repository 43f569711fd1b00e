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
    package var version: String
    /// What this user may do.
    package var role: ControlRole
    /// `SIM` or `REAL`; nil while the service doesn't know.
    package var mode: String?
    /// The arming and the link in the words of records; nil when this user may not see them.
    package var arming: String?
    package var link: String?
    /// What is wrong with the link, and what to do about it.
    package var trouble: String?
    package var remedy: String?
    /// The address of the adapter that the link uses.
    package var adapter: String?
    /// Of a framed machine.
    package var notifications: LinkRecord.Notifications?

    package init(
      version: String,
      role: ControlRole,
      mode: String? = nil,
      arming: String? = nil,
      link: String? = nil,
      trouble: String? = nil,
      remedy: String? = nil,
      adapter: String? = nil,
      notifications: LinkRecord.Notifications? = nil
    ) {
      self.version = version
      self.role = role
      self.mode = mode
      self.arming = arming
      self.link = link
      self.trouble = trouble
      self.remedy = remedy
      self.adapter = adapter
      self.notifications = notifications
    }
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
          version: client.hello.version,
          role: client.hello.role,
          mode: client.hello.mode,
          arming: status?["safety"]?["state"]?.string,
          link: status?["link"]?["state"]?.string,
          trouble: status?["link"]?["reason"]?.string,
          remedy: status?["link"]?["remedy"]?.string,
          adapter: status?["link"]?["adapter"]?.string,
          notifications: try? status?["link"]?["notifications"]?
            .decoded(as: LinkRecord.Notifications.self)
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
