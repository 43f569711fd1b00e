import JSON
import Testing

@testable import WebPage

/// What phones get of the page's files.
struct PageFileTests {
  private let files = PageFiles(of: .test)

  private func answer(
    _ path: String,
    version: String? = nil,
    accepting codings: String? = nil
  ) throws -> HTTPAnswer {
    var request = HTTPRequest("GET", path, from: nil)
    if let version { request.query = [("v", version)] }
    if let codings { request.headers = [("accept-encoding", codings)] }
    return try #require(files.answer(request), "\(path)")
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try #require(try answer(path).bytes), as: UTF8.self)
  }

  /// The page's own modules are of the forms that joining supports.
  @Test func allModulesAreInFewScripts() throws {
    let names = try PageScripts.joined(PageFiles.modules, roots: PageFiles.roots, version: "").keys
    let scripts = Dictionary(uniqueKeysWithValues: try names.map { ($0, try text("/\($0)")) })
    for (name, module) in PageFiles.modules {
      // A line that joining leaves as it is.
      let line = module.split(separator: "\n").last { line in
        !["//", "import", "export"].contains { line.contains($0) }
      }
      #expect(scripts.values.contains { $0.contains(line ?? "none") }, "\(name)")
    }
    // STOP takes nothing of the others.
    #expect(scripts["stop.js"]?.contains("import") == false)
    #expect(scripts["app.js"]?.contains("import(\"./cameras.js?v=\(files.page)\")") == true)
    #expect(scripts["cameras.js"]?.contains("import(\"./calibrate.js?v=\(files.page)\")") == true)
    #expect(scripts["calibrate.js"]?.contains("from \"./app.js?v=\(files.page)\";") == true)
  }

  /// A phone on a slow line has the cameras' sheet within a second.
  @Test func theCamerasComeFast() throws {
    let script = try #require(try answer("/cameras.js", accepting: "gzip").bytes)
    let style = try #require(try answer("/cameras.css", accepting: "gzip").bytes)
    #expect(script.count + style.count <= 9216)
  }

  @Test func thePageHasItsStyleAndNamesItsScripts() throws {
    let page = try text("/")
    let style = try text("/style.css")
    #expect(page.contains("<style>\(style)</style>"))
    #expect(files.style == SHA256.source(Array(style.utf8)))
    #expect(page.contains("data-page=\"\(files.page)\""))
    #expect(page.contains("src=\"stop.js?v=\(files.page)\""))
    // The style has braces, too, and ends where the page says.
    #expect(!style.contains("</"))
    for name in ["style", "page", "box", "id", "stopPort"] { #expect(!page.contains("{\(name)}")) }
  }

  /// Source: FIPS 180-2, B.1; the digest in base64 is OpenSSL's.
  @Test func aPolicyNamesAStyleByItsDigest() {
    let known = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    #expect(SHA256.source(Array("abc".utf8)) == known)
  }

  @Test func aStyleHasNoCommentsOnTheWire() {
    let style =
      "/* One. */\na { b: c; } /* kept */\n\n  /* Two. */\n  @media d {\n    e { f: g; }\n  }\n"
    let short = PageFiles.withoutComments(Array(style.utf8))
    #expect(
      String(decoding: short, as: UTF8.self) == "a { b: c; } /* kept */\n@media d {\ne { f: g; }\n}"
    )
  }

  @Test(arguments: ["/", "/app.js", "/style.css", "/icon.svg"])
  func aFileIsCompressedForThoseWhoTakeThat(path: String) throws {
    let plain = try answer(path)
    let short = try answer(path, accepting: "gzip, deflate")
    #expect(plain.header("Vary") == "Accept-Encoding" && short.header("Vary") == "Accept-Encoding")
    #expect(plain.header("Content-Encoding") == nil && short.header("Content-Encoding") == "gzip")
    let bytes = try #require(short.bytes)
    #expect(bytes.count < plain.bytes?.count ?? 0)
    // Source: RFC 1952, 2.3.1: the mark, the method, and the size at the end.
    #expect(Array(bytes.prefix(3)) == [31, 139, 8])
    let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(size == plain.bytes?.count)
  }

  @Test(arguments: [
    ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br, gzip;q=0.5", true), ("*", true),
    ("deflate;q=0.5, *; q=0.1", true), ("gzip;q=1.0, identity; q=0", true),
    ("", false), ("identity", false), ("gzip;q=0", false), ("gzip; q=0.000", false), ("br", false),
    ("*;q=0", false), ("gzip;q=0, *", false), ("gzipped", false),
  ])
  func whatAcceptEncodingSaysCounts(codings: String, isTaken: Bool) throws {
    let coding = try answer("/app.js", accepting: codings).header("Content-Encoding")
    #expect((coding == "gzip") == isTaken)
  }

  @Test func aBrowserKeepsWhatItsVersionNames() throws {
    let kept = "max-age=31536000, immutable"
    #expect(try answer("/app.js", version: files.page).header("Cache-Control") == kept)
    #expect(try answer("/app.js", version: "0").header("Cache-Control") == nil)
    #expect(try answer("/app.js").header("Cache-Control") == nil)
    // It has what the box is.
    #expect(try answer("/", version: files.page).header("Cache-Control") == nil)
  }
}

/// What a phone needs to keep the page among its programs.
struct PageManifestTests {
  private func files(of hostname: String) -> PageFiles {
    var box = PageService.Box.test
    box.hostname = hostname
    return PageFiles(of: box)
  }

  private func file(_ path: String, of files: PageFiles) -> HTTPAnswer? {
    let parts = path.split(separator: "?v=")
    var request = HTTPRequest("GET", String(parts[0]), from: nil)
    if parts.count == 2 { request.query = [("v", String(parts[1]))] }
    return files.answer(request)
  }

  @Test(arguments: [("court-1.example", "court-1"), ("\"},</script>\u{2028}é", "script")])
  func itHasTheBoxesName(hostname: String, name: String) throws {
    let answer = try #require(file("/manifest.webmanifest", of: files(of: hostname)))
    #expect(answer.type == "application/manifest+json")
    // The name may change while the page's version stays.
    #expect(answer.header("Cache-Control") == nil)
    let bytes = try #require(answer.bytes)
    let manifest = try JSONValue(text: bytes)
    #expect(manifest["name"]?.string == "Ball machine \(name)")
    #expect(manifest["short_name"]?.string == name)
    for key in ["start_url", "scope"] { #expect(manifest[key]?.string == "/") }
    #expect(manifest["display"]?.string == "standalone")
  }

  @Test func itsIconsAreThereAndOfTheirSizes() throws {
    let files = files(of: "court")
    let answer = try #require(file("/manifest.webmanifest", of: files))
    let bytes = try #require(answer.bytes)
    guard case .array(let icons) = try JSONValue(text: bytes)["icons"] else {
      Issue.record("no icons")
      return
    }
    #expect(icons.map { $0["purpose"]?.string } == ["any", "any", "any", "maskable"])
    for icon in icons {
      let source = try #require(icon["src"]?.string)
      let file = try #require(self.file("/\(source)", of: files), "\(source)")
      #expect(file.type == icon["type"]?.string && file.header("Cache-Control") != nil)
      guard file.type == "image/png" else { continue }
      let size = try size(of: file)
      #expect(icon["sizes"]?.string == "\(size)x\(size)")
    }
    let touch = try #require(self.file("/apple-touch-icon.png", of: files))
    #expect(try size(of: touch) == 180)
  }

  /// The width of a small square PNG. Source: PNG, third edition, 11.2.1.
  private func size(of file: HTTPAnswer) throws -> Int {
    let bytes = try #require(file.bytes)
    #expect(bytes.count < 12_288 && file.header("Content-Encoding") == nil)
    #expect(bytes.starts(with: [137, 80, 78, 71, 13, 10, 26, 10]))
    #expect(bytes[16..<20] == bytes[20..<24])
    return bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
  }
}

extension HTTPAnswer {
  var bytes: [UInt8]? { if case .bytes(let bytes) = body { bytes } else { nil } }

  fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
