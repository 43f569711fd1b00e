import Clocks
import ControlProtocol
package import Host

/// Answers operators: `pair`, `card`, `phones` and `revoke`, as JSON-RPC 2.0, one request a line.
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
      RequestResult(try await Self.answer(try PhoneRequest(line), pairing, hostname, addresses))
    }
  }

  /// Answers until the task is cancelled.
  package func run() async { await server.run() }

  private static func answer(
    _ request: PhoneRequest,
    _ pairing: Pairing,
    _ hostname: String,
    _ addresses: () -> PageAddresses
  ) async throws(ControlError) -> any Encodable & Sendable {
    switch request {
    case .pair:
      let (code, page) = (pairing.newCode(), addresses())
      return CodeRecord(
        hostname: hostname,
        digits: code,
        seconds: Int(PairingCode.life.seconds),
        url: page.url(code),
        addresses: page.all,
        warning: page.warning
      )
    case .card(let days):
      let (card, page) = (try await pairing.newCard(days: days), addresses())
      return CardRecord(
        id: card.card.id,
        hostname: hostname,
        secret: card.secret,
        until: card.card.until,
        url: page.url(card.secret),
        addresses: page.all,
        warning: page.warning
      )
    case .phones: return PhonesRecord(pairing.all())
    case .revoke(let id):
      let (phones, cards) = try await pairing.revoke(id)
      return RevokedRecord(phones: phones, cards: cards)
    }
  }
}

extension PageAddresses {
  /// Behind `#`, so that no log on the way sees the secret; the page takes it from there.
  fileprivate func url(_ secret: String) -> String { "\(all[0])#pair=\(secret)" }
}
