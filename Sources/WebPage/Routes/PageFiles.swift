/// The files of the page, which are in the program: joined, filled in and compressed once, when it starts.
package struct PageFiles: Sendable {
  private struct File: Sendable {
    var type: String
    var content: [UInt8]
    /// nil: of what has no text, or would be no shorter.
    var compressed: [UInt8]?
    /// Whether its content is the same as long as ``PageFiles/page`` is.
    var isKept: Bool

    private static let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
      "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
      "webmanifest": "application/manifest+json",
    ]

    /// - Parameter ending: of the file's name.
    init(_ ending: String, _ content: [UInt8], isKept: Bool = true) {
      type = Self.types[ending] ?? "application/octet-stream"
      self.content = content
      self.isKept = isKept
      compressed = ending == "png" ? nil : Gzip.compressed(content)
    }
  }

  /// Names what all files have: the page of another program has another name.
  package let page: String
  /// The style inside of the page, as a policy names it.
  let style: String
  private let files: [String: File]

  /// - Parameter box: the page has its name and ID, and STOP its port, before any event.
  package init(of box: PageService.Box) {
    let style = Self.withoutComments(PackageResources.style_css)
    let later = Self.laterStyles.map { ($0.key, Self.withoutComments($0.value)) }
    let page = Self.name(
      of: [PackageResources.index_html, style] + later.map(\.1) + Self.icons.map(\.value)
    )
    let values = [
      "stopPort": "\(box.stopPort)", "box": box.shortName, "id": box.id.text, "page": page,
      "style": String(decoding: style, as: UTF8.self),
    ]
    let html = Self.filled(
      String(decoding: PackageResources.index_html, as: UTF8.self),
      with: values
    )
    var files = [
      "/": File("html", Array(html.utf8), isKept: false),
      "/style.css": File("css", style),
      "/manifest.webmanifest": File(
        "webmanifest",
        PageManifest(of: box, page: page).text,
        isKept: false
      ),
    ]
    for (name, script) in Self.scripts(version: page) {
      files["/\(name)"] = File("js", Array(script.utf8))
    }
    for (name, style) in later { files["/\(name)"] = File("css", style) }
    for (name, content) in Self.icons {
      files["/\(name)"] = File(String(name.drop { $0 != "." }.dropFirst()), content)
    }
    self.page = page
    self.style = SHA256.source(style)
    self.files = files
  }

  /// - Returns: nil if there is no such file.
  func answer(_ request: HTTPRequest) -> HTTPAnswer? {
    guard let file = files[request.path] else { return nil }
    var answer = HTTPAnswer(200, file.type, file.content)
    if let compressed = file.compressed {
      answer.headers.append(("Vary", "Accept-Encoding"))
      if request.acceptsGzip {
        answer.body = .bytes(compressed)
        answer.headers.append(("Content-Encoding", "gzip"))
      }
    }
    let versions = request.query.filter { $0.name == "v" }.map(\.value)
    if file.isKept, versions == [page] {
      answer.headers.append(("Cache-Control", "max-age=31536000, immutable"))
    }
    return answer
  }

  // MARK: Contents

  /// The page's modules by their names.
  package static let modules = [
    "app.js": PackageResources.app_js,
    "art.js": PackageResources.art_js,
    "awake.js": PackageResources.awake_js,
    "box.js": PackageResources.box_js,
    "calibrate.js": PackageResources.calibrate_js,
    "calibrateCourt.js": PackageResources.calibrateCourt_js,
    "calibrateMarks.js": PackageResources.calibrateMarks_js,
    "calibratePicture.js": PackageResources.calibratePicture_js,
    "calibrateVerdict.js": PackageResources.calibrateVerdict_js,
    "calibrateWords.js": PackageResources.calibrateWords_js,
    "cameras.js": PackageResources.cameras_js,
    "camerasWords.js": PackageResources.camerasWords_js,
    "court.js": PackageResources.court_js,
    "drillList.js": PackageResources.drillList_js,
    "drills.js": PackageResources.drills_js,
    "hero.js": PackageResources.hero_js,
    "homography.js": PackageResources.homography_js,
    "more.js": PackageResources.more_js,
    "pair.js": PackageResources.pair_js,
    "pairing.js": PackageResources.pairing_js,
    "phoneCamera.js": PackageResources.phoneCamera_js,
    "phoneFrames.js": PackageResources.phoneFrames_js,
    "requests.js": PackageResources.requests_js,
    "sessions.js": PackageResources.sessions_js,
    "sheet.js": PackageResources.sheet_js,
    "sheetTexts.js": PackageResources.sheetTexts_js,
    "sheets.js": PackageResources.sheets_js,
    "start.js": PackageResources.start_js,
    "stop.js": PackageResources.stop_js,
    "texts.js": PackageResources.texts_js,
    "unanswered.js": PackageResources.unanswered_js,
    "words.js": PackageResources.words_js,
  ].mapValues { String(decoding: $0, as: UTF8.self) }

  /// The drawing, and what tools/page/icons makes of it.
  private static let icons: KeyValuePairs = [
    "icon.svg": PackageResources.icon_svg,
    "icon-192.png": PackageResources.icon_192_png,
    "icon-512.png": PackageResources.icon_512_png,
    "icon-maskable-512.png": PackageResources.icon_maskable_512_png,
    "apple-touch-icon.png": PackageResources.apple_touch_icon_png,
  ]

  /// They come with the sheets that they are of.
  private static let laterStyles: KeyValuePairs = [
    "calibrate.css": PackageResources.calibrate_css, "cameras.css": PackageResources.cameras_css,
  ]

  /// STOP first: it needs nothing of the others. The sheets come after the page is shown, the cameras' when they are
  /// opened.
  static let roots = ["stop.js", "app.js", "sheets.js", "cameras.js", "calibrate.js"]

  private static func scripts(version: String) -> [String: String] {
    do throws(ScriptProblem) {
      return try PageScripts.joined(modules, roots: roots, version: version)
    } catch {
      preconditionFailure("the page in this program is wrong: \(error)")
    }
  }

  /// 16 hexadecimal digits of the scripts' and these contents' digest.
  private static func name(of contents: [[UInt8]]) -> String {
    let scripts = scripts(version: "").sorted { $0.key < $1.key }.map { Array($0.value.utf8) }
    let digest = SHA256.digest((contents + scripts).flatMap { SHA256.digest($0) })
    return digest.prefix(8).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  /// A style without indents, and without comments, which have lines of their own.
  package static func withoutComments(_ style: [UInt8]) -> [UInt8] {
    style.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
      .filter { !($0.starts(with: "/*".utf8) && $0.suffix(2).elementsEqual("*/".utf8)) }
      .joined(separator: CollectionOfOne(UInt8(ascii: "\n"))).map(\.self)
  }

  /// The text with a value for each `{NAME}`.
  private static func filled(_ text: String, with values: [String: String]) -> String {
    text.split(separator: "{").map { piece in
      guard let end = piece.firstIndex(of: "}"), let value = values[String(piece[..<end])] else {
        return String(piece)
      }
      return value + piece[piece.index(after: end)...]
    }
    .joined()
  }
}
