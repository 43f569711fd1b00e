import Glibc

/// Which requests come from our own page, or from a program of a person's own: never from another
/// site's page in a phone's browser. STOP does not ask it.
package struct RequestGate: Sendable {
  private let names: Set<String>

  /// - Parameters:
  ///   - hostname: the box's; its first part counts too, alone and with `.local`.
  ///   - names: further ones that lead here, as the configuration says.
  package init(hostname: String, names: [String]) {
    let short = hostname.prefix { $0 != "." }
    let own = short.isEmpty ? [] : [hostname, String(short), "\(short).local"]
    self.names = Set((["localhost"] + own + names).map { $0.lowercased() })
  }

  /// - Parameters:
  ///   - changes: whether the request may change something.
  ///   - type: what its body must be then; none that a form can send.
  package func check(
    _ request: HTTPRequest,
    changes: Bool,
    type: String = "application/json"
  ) throws(GateRefusal) {
    guard let host = request.joined("host"), knows(host) else { throw .foreignHost }
    guard changes else { return }
    // A program such as curl sends neither; a browser sends at least one of them.
    let own = "\(request.isSecure ? "https" : "http")://\(host.lowercased())"
    if let origin = request.joined("origin"), origin != own { throw .foreignOrigin }
    if let site = request.joined("sec-fetch-site"), site != "same-origin" { throw .foreignOrigin }
    guard has(type, request.joined("content-type")) else { throw .notJSON }
  }

  /// A foreign page can have its own name lead to this box (DNS rebinding), but the name stays in
  /// `Host`. An address can't be had that way.
  private func knows(_ host: String) -> Bool {
    // Checked first: C's functions take a text up to its first NUL.
    guard host.utf8.allSatisfy(Self.allowed.contains) else { return false }
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      let address = String(host[host.index(after: host.startIndex)..<end])
      return isAddress(address, AF_INET6) && isPort(host[host.index(after: end)...])
    }
    let name = String(host.prefix { $0 != ":" })
    guard isPort(host.dropFirst(name.count)) else { return false }
    return names.contains(name.lowercased()) || isAddress(name, AF_INET)
  }

  private static let allowed = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]".utf8
  )

  private func isAddress(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return inet_pton(family, text, &address) == 1
  }

  private func isPort(_ text: Substring) -> Bool {
    guard let colon = text.first else { return true }
    let digits = text.dropFirst()
    return colon == ":" && 1...5 ~= digits.count && digits.allSatisfy("0123456789".contains)
  }

  /// A form of another site can't send this type without asking first. Parameters may follow.
  private func has(_ wanted: String, _ contentType: String?) -> Bool {
    guard let contentType, !contentType.contains(where: { $0 == "," }) else { return false }
    let type = contentType.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
    return type.lowercased() == wanted
  }
}

/// Why a request is refused.
package enum GateRefusal: String, Error, CaseIterable, Hashable, Sendable {
  case foreignHost
  case foreignOrigin
  case notJSON

  /// The status code for HTTP.
  package var status: Int {
    switch self {
    case .foreignHost: 421
    case .foreignOrigin: 403
    case .notJSON: 415
    }
  }

  /// The word for programs.
  package var code: String { rawValue }
}

extension GateRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .foreignHost:
      "this box has another name: use its address or hostname, or set names in web.yaml"
    case .foreignOrigin: "only the box's own page may change anything"
    case .notJSON:
      "the request has no JSON: Content-Type must be application/json, or image/jpeg of a picture"
    }
  }
}
