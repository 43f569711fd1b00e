package import YAML

/// What a person sets of the page: `web.yaml`. A new one has the defaults.
package struct WebSettings: YAMLDocument {
  /// Where an installed page has its configuration.
  package static let standardPath = "/etc/ballmachine-web/web.yaml"

  package var listen = "127.0.0.1"
  package var port = 8080
  package var stopPort = 8081
  package var plainStopPort = 8082
  package var names: [String] = []
  /// Nil: plain HTTP.
  package var certificate: String?
  package var key: String?
  package var camera = "/run/ballmachine-camera/camera.sock"

  package init() {}

  /// The socket that takes a phone's pictures, beside the camera's own.
  package var frames: String {
    let name = camera.reversed().prefix { $0 != "/" }.count
    return camera.dropLast(name) + "frames.sock"
  }

  /// What must hold between the keys; nil: it does.
  package var problem: String? {
    if (certificate == nil) != (key == nil) {
      return "tls.certificate and tls.key go together: set both or none"
    }
    let ports: [(String, Int)] =
      [("page.port", port), ("page.stop-port", stopPort)]
      + (certificate == nil ? [] : [("page.plain-stop-port", plainStopPort)])
    for (index, (key, number)) in ports.enumerated() where number != 0 {
      if let other = ports[..<index].first(where: { $0.1 == number }) {
        return "\(other.0) and \(key) are both \(number): they must differ"
      }
    }
    return nil
  }

  package static let schema = YAMLSchema<Self>(
    of: "the page's configuration",
    typicalKey: "page",
    [
      YAMLSection(
        "page",
        "Where phones find the page",
        effect: .afterRestart,
        keys: [
          .value(
            "listen",
            .address,
            \.listen,
            example: "192.168.1.20",
            """
            The box's address at which phones reach it: 0.0.0.0 is all of IPv4, :: all. With \
            127.0.0.1 none does. Any device of that network can see the session and stop it.
            """
          ),
          .value("port", .port, \.port, "The page's port."),
          .value(
            "stop-port",
            .port,
            \.stopPort,
            "A port for stops alone: a flood on the page's port doesn't reach it."
          ),
          .value(
            "plain-stop-port",
            .port,
            \.plainStopPort,
            "With a certificate: a port for stops in plain HTTP, for scripts."
          ),
          .value(
            "names",
            .hostNames,
            \.names,
            example: "[court-1.club.example]",
            """
            Names by which phones reach the box, besides its host name, with and without .local, and \
            its addresses. Under another name the page is refused, so that a web page elsewhere \
            can't pass itself off as this one.
            """
          ),
        ]
      ),
      YAMLSection(
        "tls",
        "Encryption; without it the page is plain HTTP",
        effect: .afterRestart,
        keys: [
          .value(
            "certificate",
            .path("the path of a certificate"),
            \.certificate,
            example: "/etc/ballmachine-web/certificate.pem",
            "The certificate, in PEM, with those that lead to its authority."
          ),
          .value(
            "key",
            .path("the path of a key"),
            \.key,
            example: "/etc/ballmachine-web/key.pem",
            "The certificate's key, in PEM, readable to the user ballmachine-web."
          ),
        ]
      ),
      YAMLSection(
        "camera",
        "The camera, for its calibration on the phone",
        effect: .afterRestart,
        keys: [
          .value(
            "socket",
            .path("the path of a socket"),
            \.camera,
            "The socket of the camera's service. The one for a phone's pictures is beside it: frames.sock."
          )
        ]
      ),
    ]
  )
}

extension YAMLKind where Value == Int {
  /// 0 is any that is free.
  fileprivate static var port: YAMLKind { .integer("a port", in: 0...65_535) }
}

extension YAMLKind where Value == String {
  fileprivate static var address: YAMLKind {
    let allowed = "an IP address"
    return YAMLKind(allowed, yaml: { $0 }) { (node, _) throws(YAMLProblem) in
      guard let text = node.text, IPEndpoint(text, port: 0) != nil else {
        throw node.isNot(allowed)
      }
      return text
    }
  }

  fileprivate static var hostName: YAMLKind {
    let allowed = "a host name"
    return YAMLKind(allowed, yaml: { $0 }) { (node, _) throws(YAMLProblem) in
      guard let text = node.text, (1...253).contains(text.utf8.count),
        text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }),
        text.first != "-", text.first != ".", text.last != "-"
      else { throw node.isNot(allowed) }
      return text.lowercased()
    }
  }
}

extension YAMLKind where Value == [String] {
  fileprivate static var hostNames: YAMLKind {
    YAMLKind<String>.hostName.list(
      "a list of at most 32 host names",
      count: 0...32,
      to: { (names) throws(YAMLListProblem) in names },
      from: { $0 }
    )
  }
}
