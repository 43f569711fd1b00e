import ControlProtocol
package import Host

/// Asks the page's service for codes and phones. It waits on a thread of its own.
package struct PhoneClient: Sendable {
  private let path: String

  package init(path: String) { self.path = path }

  /// A new code for one phone, in place of the last one.
  package func pair() async throws(LineClientError) -> CodeRecord { try await ask(.pair) }

  /// A new card.
  package func card(days: Int) async throws(LineClientError) -> CardRecord {
    try await ask(.card(days: days))
  }

  package func phones() async throws(LineClientError) -> PhonesRecord { try await ask(.phones) }

  /// - Parameter id: nil for all.
  package func revoke(_ id: Int?) async throws(LineClientError) -> RevokedRecord {
    try await ask(.revoke(id))
  }

  private func ask<Answer: Codable & Sendable>(
    _ request: PhoneRequest
  ) async throws(LineClientError) -> Answer {
    do throws(LineClientError) {
      return try await LineClient.talk(to: "the page's service", path: path) {
        (client) throws(LineClientError) in
        try client.ask(request.method.rawValue, request.parameters)
      }
    } catch {
      guard error.code == .unreachable else { throw error }
      let remedy = "start it with `sudo systemctl start ballmachine-web'"
      throw LineClientError(.unreachable, "\(error); \(remedy)")
    }
  }
}
