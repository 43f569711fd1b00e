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
  @Test func allModulesAreInThreeScripts() throws {
    let scripts = try ["/stop.js", "/app.js", "/calibrate.js"].map { try text($0) }
    for (name, module) in PageFiles.modules {
      let last = module.split(separator: "\n").last { !$0.drop { $0 == " " }.hasPrefix("//") }
      let count = scripts.count { $0.contains(last ?? "none") }
      #expect(count > 0, "\(name)")
    }
    // STOP takes nothing of the others.
    #expect(!scripts[0].contains("import"))
    #expect(scripts[1].contains("import(\"./calibrate.js?v=\(files.page)\")"))
    #expect(scripts[2].contains("from \"./app.js?v=\(files.page)\";"))
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

extension HTTPAnswer {
  var bytes: [UInt8]? { if case .bytes(let bytes) = body { bytes } else { nil } }

  fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
