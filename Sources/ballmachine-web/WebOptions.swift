import Certificates
import Glibc
import Host
import Programs
import WebPage

/// Where the page's configuration is, and what overrides it.
struct WebOptions {
  var config: String?
  var listen: String?
  var port: Int?

  static let options: [Option<WebOptions>] = [
    .value(
      "config",
      .text("FILE"),
      \.config,
      "Read this configuration (default: \(WebSettings.standardPath) if there is one)"
    ),
    .value("listen", .text("ADDRESS"), \.listen, "Listen at this IP address of the box"),
    .value("port", .integer("NUMBER", in: 0...65_535), \.port, "The page's port; 0: any"),
  ]

  /// The configuration's file.
  var path: String { config ?? WebSettings.standardPath }

  func settings() throws -> WebSettings {
    var settings = try WebSettings.load(config, orElse: WebSettings.standardPath)
    settings.listen = listen ?? settings.listen
    settings.port = port ?? settings.port
    if let problem = settings.problem { throw Failure(.configuration, "\(path): \(problem)") }
    return settings
  }
}

extension WebSettings {
  private static let longestFile = 1 << 20

  /// What proves the box's name to browsers; nil: plain HTTP.
  func identity() throws -> HTTPServer.Identity? {
    guard let certificate, let key else { return nil }
    let texts = (certificate: try Self.text(certificate), key: try Self.text(key))
    do throws(CertificateError) {
      _ = try Certificate(certificate: Array(texts.certificate.utf8), key: Array(texts.key.utf8))
    } catch {
      // Not an error of the configuration, which would end the service: a new pair may be half copied.
      throw Failure(.badData, "\(certificate), \(key): \(error)")
    }
    return HTTPServer.Identity(certificate: texts.certificate, key: texts.key)
  }

  private static func text(_ path: String) throws -> String {
    do throws(SystemError) { return String(decoding: try pem(path), as: UTF8.self) } catch {
      throw Failure(ExitCode(opening: error), error)
    }
  }

  /// A file of a certificate or a key.
  static func pem(_ path: String) throws(SystemError) -> [UInt8] {
    guard let bytes = try InputFile.bytes(path, longest: longestFile) else {
      throw SystemError("read \(path)", code: EFBIG)
    }
    return bytes
  }
}
