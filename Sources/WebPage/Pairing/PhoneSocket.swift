import Clocks
package import Host
import JSON

/// Answers operators: `pair`, `card`, `phones` and `revoke`, one request a line of JSON.
package struct PhoneSocket: Sendable {
  package static let name = "web.sock"
  private static let longestRequest = 1024

  private let server: LineServer

  /// - Parameters:
  ///   - hostname: the box's name for people.
  ///   - addresses: where the page is, asked for each code: a box changes its network.
  package init(
    path: String,
    pairing: Pairing,
    hostname: String,
    addresses: @escaping @Sendable () -> PageAddresses
  ) throws(UnixSocketError) {
    server = try LineServer(path: path, longest: Self.longestRequest) { line in
      do {
        guard let line, let value = try? JSONValue(text: line) else {
          throw PairingFailure("the request is no line of JSON, or it is too long")
        }
        let request: PhoneRequest
        do { request = try value.decoded(as: PhoneRequest.self) } catch is DecodingError {
          throw PairingFailure("the request is malformed: it needs a method, and its params")
        }
        return try await Self.answer(request, pairing, hostname, addresses)
      } catch {
        return (try? JSONAnswer<RevokedRecord>(error: "\(error)").line) ?? []
      }
    }
  }

  /// Answers until the task is cancelled.
  package func run() async { await server.run() }

  private static func answer(
    _ request: PhoneRequest,
    _ pairing: Pairing,
    _ hostname: String,
    _ addresses: () -> PageAddresses
  ) async throws -> [UInt8] {
    switch request {
    case .pair:
      let (code, page) = (pairing.newCode(), addresses())
      return try JSONAnswer(
        result: CodeRecord(
          hostname: hostname,
          digits: code,
          seconds: Int(PairingCode.life.seconds),
          url: page.url(code),
          addresses: page.all,
          warning: page.warning
        )
      ).line
    case .card(let days):
      let (card, page) = (try await pairing.newCard(days: days), addresses())
      return try JSONAnswer(
        result: CardRecord(
          id: card.card.id,
          hostname: hostname,
          secret: card.secret,
          until: card.card.until,
          url: page.url(card.secret),
          addresses: page.all,
          warning: page.warning
        )
      ).line
    case .phones: return try JSONAnswer(result: PhonesRecord(pairing.all())).line
    case .revoke(let id):
      let (phones, cards) = try await pairing.revoke(id)
      return try JSONAnswer(result: RevokedRecord(phones: phones, cards: cards)).line
    }
  }
}

extension PageAddresses {
  /// Behind `#`, so that no log on the way sees the secret; the page takes it from there.
  fileprivate func url(_ secret: String) -> String { "\(all[0])#pair=\(secret)" }
}
