/// The files of the page, which are in the program.
package enum PageFile {
  private static let files: [String: [UInt8]] = [
    "app.js": PackageResources.app_js,
    "box.js": PackageResources.box_js,
    "calibrate.css": PackageResources.calibrate_css,
    "calibrate.js": PackageResources.calibrate_js,
    "calibrateCourt.js": PackageResources.calibrateCourt_js,
    "calibrateMarks.js": PackageResources.calibrateMarks_js,
    "calibratePicture.js": PackageResources.calibratePicture_js,
    "calibrateVerdict.js": PackageResources.calibrateVerdict_js,
    "calibrateWords.js": PackageResources.calibrateWords_js,
    "court.js": PackageResources.court_js,
    "homography.js": PackageResources.homography_js,
    "icon.svg": PackageResources.icon_svg,
    "index.html": PackageResources.index_html,
    "sheet.js": PackageResources.sheet_js,
    "sheets.js": PackageResources.sheets_js,
    "stop.js": PackageResources.stop_js,
    "style.css": PackageResources.style_css,
    "unanswered.js": PackageResources.unanswered_js,
    "words.js": PackageResources.words_js,
  ]

  /// The files' contents as phones get them.
  private static let contents = Dictionary(
    uniqueKeysWithValues: files.map { name, content in
      (name, name.hasSuffix(".js") ? withoutComments(content) : content)
    }
  )

  /// A script without the lines that are comments, which tools/check doesn't count either.
  package static func withoutComments(_ script: [UInt8]) -> [UInt8] {
    script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .filter { line in !line.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8) }
      .joined(separator: CollectionOfOne(UInt8(ascii: "\n"))).map(\.self)
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]

  /// - Parameter box: the page has its name and ID, and STOP its port, before any event.
  /// - Returns: nil if there is no such file.
  static func answer(_ path: String, of box: PageService.Box) -> HTTPAnswer? {
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    guard let content = contents[name],
      let type = name.split(separator: ".").last.flatMap({ types[String($0)] })
    else { return nil }
    guard name == "index.html" else { return HTTPAnswer(200, type, content) }
    let values = [
      "stopPort": "\(box.stopPort)", "box": box.shortName, "id": box.id.text,
    ]
    let page = filled(String(decoding: content, as: UTF8.self), with: values)
    return HTTPAnswer(200, type, Array(page.utf8))
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
