package import ControlProtocol
import JSON

extension HTTPAnswer {
  static let tooOften = failure(429, "tooOften", "too many requests: wait some seconds")
  /// What waits holds threads or processes.
  static let busy = failure(503, "busy", "too many questions at once: wait some seconds")
  static let notHere = failure(404, "notHere", "there is nothing here")
  static let notPaired = failure(
    401,
    "notPaired",
    "this phone is not paired: run `ballmachine pair-phone` on the box"
  )

  /// The service's words for what a stop overtook.
  static let overtaken = failure(
    409,
    "stopLatched",
    "a stop came in after this was asked: look at the court, then ask again"
  )

  static func failure(_ refusal: GateRefusal) -> HTTPAnswer {
    failure(refusal.status, refusal.code, refusal.description)
  }

  static func failure(_ refusal: PhoneRefusal) -> HTTPAnswer {
    failure(409, refusal.code, refusal.reason)
  }

  /// Too many watch already. A browser's page reads nothing of it but an event, and comes again.
  static func full(_ request: HTTPRequest) -> HTTPAnswer {
    guard request.accepts("text/event-stream") else {
      return failure(
        503,
        "full",
        "too many phones watch: close the page on another, or pair this one"
      )
    }
    let event = "retry: 1000\nevent: full\ndata: {}\n\n"
    return HTTPAnswer(200, "text/event-stream", Array(event.utf8))
  }

  /// Why the service did not do it.
  static func failure(_ error: any Error) -> HTTPAnswer {
    guard let error = error as? ControlClientError else {
      return failure(503, "unavailable", "\(error)")
    }
    switch error {
    case .silent: return failure(504, "silent", "\(error)")
    case .failed(let code, let message, let data):
      let known = ControlError.Code(rawValue: code)
      let status =
        switch known {
        case .invalidParameters, .invalidRequest, .parseError: 400
        case .forbidden: 403
        case .methodNotFound: 404
        case .refused: 409
        case .internalError: 500
        case .unavailable, .tooMany, nil: 503
        }
      let word = data?["code"]?.string ?? known.map { "\($0)" } ?? "refused"
      return failure(status, word, message, data: data)
    default: return failure(503, "noService", "\(error)")
    }
  }

  /// A line of JSON that another program has written.
  static func json(text: [UInt8]) -> HTTPAnswer { HTTPAnswer(200, "application/json", text) }

  /// Lines of JSON as one list, the last line first.
  static func sessions(_ lines: [UInt8]) -> HTTPAnswer {
    let list = lines.split(separator: UInt8(ascii: "\n")).reversed().joined(separator: ",".utf8)
    return json(text: Array("{\"sessions\":[".utf8) + Array(list) + Array("]}".utf8))
  }

  private static func status(_ answer: StopRecord) -> Int {
    switch answer.outcome {
    case "confirmed", "alreadyStopped": 200
    case "unconfirmed": 202
    default: 503
    }
  }

  /// Scripts look at the status alone.
  package static func stop(_ answer: StopRecord, of box: PageService.Box) -> HTTPAnswer {
    var reply = json(StopAnswer(stop: answer, id: box.id.text), status: status(answer))
    // The page's own port and the stop's differ, so a browser asks.
    reply.headers = fromOtherPorts
    return reply
  }

  private static let fromOtherPorts = [
    (name: "Access-Control-Allow-Origin", value: "*"), ("Cache-Control", "no-store"),
  ]

  /// The stop was for the box that had this address before, or for this one before it started again.
  static let otherBox = {
    var reply = failure(409, "otherBox", "NOTHING was stopped: this stop names another box")
    reply.headers = fromOtherPorts
    return reply
  }()

  /// The page with a stop's outcome, for a person whose browser has the page without its script.
  package static func stopPage(_ answer: StopRecord, of box: PageService.Box) -> HTTPAnswer {
    let status = status(answer)
    let (english, german) =
      switch answer.outcome {
      case "confirmed":
        ("Stopped: the machine has acknowledged it.", "Gestoppt: die Maschine hat es bestätigt.")
      case "alreadyStopped": ("It was stopped already.", "War schon gestoppt.")
      case "unconfirmed":
        (
          "Stop was sent, but not acknowledged. Use the machine’s own switch.",
          "Stopp gesendet, nicht bestätigt. Die Maschine am Schalter ausschalten!"
        )
      default:
        (
          "STOP DID NOT ARRIVE. Use the machine’s own switch!",
          "STOPP KAM NICHT AN. Die Maschine am Schalter ausschalten!"
        )
      }
    let text = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>STOP</title>
      <link rel="stylesheet" href="style.css">
      <header><h2>\(box.shortName): <a href="/">Back to the page</a></h2></header>
      <main></main>
      <form method="post" action="/stop">
        <div id="alert"><p class="\(status == 200 ? "good" : "bad")">\(english)
          <span lang="de">\(german)</span></p></div>
        <button id="stop">STOP</button>
      </form>
      """
    var reply = HTTPAnswer(status, "text/html; charset=utf-8", Array(text.utf8))
    reply.headers = [
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none';"
          + " form-action 'self'"
      ), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
    ]
    return reply
  }
}

private struct StopAnswer: Encodable {
  private enum Key: CodingKey { case id }

  var stop: StopRecord
  /// The box's ID, as the page has it.
  var id: String

  func encode(to encoder: any Encoder) throws {
    try stop.encode(to: encoder)
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(id, forKey: .id)
  }
}

extension PageService {
  /// The headers of every answer but a stop's.
  ///
  /// - Parameter style: the style inside of the page.
  package static func seal(
    _ request: HTTPRequest,
    stopPort: Int,
    style: String
  ) -> [(name: String, value: String)] {
    // The gate knows this name, or the answer is its refusal.
    let host = request.header("host") ?? ""
    let name =
      host.hasSuffix("]") ? host[...] : host.prefix(upTo: host.lastIndex(of: ":") ?? host.endIndex)
    let isPlain = name.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || ".-[]:".contains($0))
    }
    let scheme = request.isSecure ? "https" : "http"
    // A source can't be an address in brackets. Source: CSP Level 3, host-source.
    let source = name.hasPrefix("[") ? "*" : name
    let stop = isPlain ? " \(scheme)://\(source):\(stopPort)" : ""
    return [
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self' '\(style)'; img-src 'self' blob:;"
          + " manifest-src 'self';"
          + " connect-src 'self'\(stop); frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
      ),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
  }
}
