package import YAML

/// What a person sets of the page: `web.yaml`. A new one has the defaults.
package struct WebSettings: YAMLDocument {
  /// Where an installed page has its configuration.
  package static let standardPath = "/etc/ballmachine-web/web.yaml"

  package var listen = "127.0.0.1"
  package var port = 8080
  package var stopPort = 8081
  package var plainStopPort = 8082
  /// Nil: plain HTTP.
  package var certificate: String?
  package var key: String?
  package var names: [String] = []

  package init() {}

  package static let schema = YAMLSchema<Self>(
    of: "the page's configuration",
    typicalKey: "page",
    []
  )
}
