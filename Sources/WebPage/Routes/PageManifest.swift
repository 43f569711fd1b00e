import JSON

/// What a phone needs to keep the page among its programs. Source: W3C, Web Application Manifest.
struct PageManifest: Encodable {
  private enum CodingKeys: String, CodingKey {
    case id, name, scope, display, icons
    case shortName = "short_name"
    case start = "start_url"
    case background = "background_color"
    case theme = "theme_color"
  }

  private struct Icon: Encodable {
    var src: String
    var sizes: String
    var type: String
    var purpose = "any"
  }

  private let id = "/"
  private let name: String
  private let shortName: String
  private let start = "/"
  private let scope = "/"
  private let display = "standalone"
  /// The ground of the icon.
  private let background = "#14532d"
  private let theme = "#14532d"
  private let icons: [Icon]

  /// - Parameter page: the version of its icons.
  init(of box: PageService.Box, page: String) {
    name = "Ball machine \(box.shortName)"
    // A club has several boxes, and below an icon is little room.
    shortName = box.shortName
    icons = [
      Icon(src: "icon.svg?v=\(page)", sizes: "any", type: "image/svg+xml"),
      Icon(src: "icon-192.png?v=\(page)", sizes: "192x192", type: "image/png"),
      Icon(src: "icon-512.png?v=\(page)", sizes: "512x512", type: "image/png"),
      Icon(
        src: "icon-maskable-512.png?v=\(page)",
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable"
      ),
    ]
  }

  var text: [UInt8] { (try? JSONEncoding.line(self)) ?? [] }
}
