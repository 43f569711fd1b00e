import Host

/// Where a phone finds the page.
package struct PageAddresses: Hashable, Sendable {
  /// URLs, the most promising one first; one at least.
  package let all: [String]
  /// The names and addresses in them.
  package let hosts: [String]
  /// Why no phone reaches the page, and what to do about it.
  package let warning: String?

  /// - Parameters:
  ///   - listen: the address on which the page listens.
  ///   - names: names that lead here, as the configuration says: people chose them.
  ///   - configuration: the file in which `listen` is; nil: the option --listen said it.
  ///   - own: the box's addresses in its networks.
  package init(
    listen: String,
    port: Int,
    isSecure: Bool,
    names: [String],
    hostname: String,
    configuration: String?,
    own: [String] = OwnAddresses.all()
  ) {
    let isLoopback = OwnAddresses.isLoopback(listen)
    let isAll = ["0.0.0.0", "::"].contains(listen)
    // An address that listens for IPv4 alone is of no use to the others.
    let reachable =
      isAll ? own.filter { listen == "::" || $0.firstIndex(of: ":") == nil } : [listen]
    let short = hostname.prefix { $0 != "." }
    let local = isAll && !short.isEmpty ? ["\(short).local"] : []
    let known = isLoopback ? [listen] : names + reachable + local
    hosts = known.isEmpty ? ["localhost"] : known
    all = hosts.map { host in
      let host = host.contains { $0 == ":" } ? "[\(host)]" : host
      return "\(isSecure ? "https" : "http")://\(host):\(port)/"
    }
    warning =
      if isLoopback {
        "no phone can reach the page: it listens on \(listen) alone. "
          + (configuration.map {
            "Set listen to 0.0.0.0, or to the box's address, in \($0), and start the page again (the"
              + " service: `sudo systemctl restart ballmachine-web')"
          } ?? "Start it with --listen 0.0.0.0, or with the box's address")
      } else if reachable.isEmpty {
        "no phone can reach the page: the box has no address in a network. Connect it to the Wi-Fi,"
          + " or make it an access point"
      } else {
        nil
      }
  }
}
