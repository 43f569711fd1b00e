package import Clocks
import Host

/// What a client asks for, whole.
package struct HTTPRequest: Sendable {
  package var method: String
  /// The request's target without the query, and decoded: as it came, so mostly a path.
  package var path: String
  /// The query's values, with names in small letters.
  package var query: [(name: String, value: String)] = []
  package var address: ClientAddress?
  /// Whether it came over TLS.
  package var isSecure = false
  package var body: [UInt8] = []
  /// Who has been let in with a long body, see ``HTTPAdmission/large(_:for:)``.
  package internal(set) var admitted: Int?
  /// When its headers were there.
  package let began = SystemClock().now
  /// The headers with names in small letters, in the order in which they came.
  package var headers: [(name: String, value: String)] = []

  package init(_ method: String, _ path: String, from address: ClientAddress?) {
    self.method = method
    self.path = path
    self.address = address
  }

  /// A header that came once; nil too where it came twice, which no honest client does.
  package func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// A header's values with commas between them (RFC 9110, 5.3), so that one that may come only once
  /// is wrong where it came twice; nil where it didn't come.
  package func joined(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Whether the answer may be of this type, as a browser asks for it by name.
  package func accepts(_ type: String) -> Bool {
    let types = header("accept")?.split(separator: ",") ?? []
    return types.contains { $0.drop { $0 == " " }.hasPrefix(type) }
  }

  /// Whether every reader takes the same bytes for its body (RFC 9112, 6.3): a proxy may be in front.
  package var hasOneLength: Bool {
    let lengths = headers.filter { $0.name == "content-length" }
    let codings = headers.filter { $0.name == "transfer-encoding" }
    return lengths.count + codings.count <= 1
      && lengths.allSatisfy { $0.value.utf8.allSatisfy { (48...57).contains($0) } }
      && codings.allSatisfy { $0.value.lowercased() == "chunked" }
      && headers.allSatisfy { !$0.name.isEmpty && !$0.name.utf8.contains { $0 <= 32 } }
  }

  /// Whether it is for a stop. Only a POST is one.
  ///
  /// A stop alone may be asked for by a whole URI (RFC 9112, 3.2.2), of any scheme and host, since the
  /// gate, which judges `Host`, has no say in it. Nor does a slash too many keep it away.
  package var isStop: Bool {
    let steps = pathOfURI.split(separator: "/")
    return steps == ["stop"] || steps == ["api", "stop"]
  }

  /// The path, where the target may be a whole URI.
  private var pathOfURI: Substring {
    let scheme = path.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let rest = path.dropFirst(scheme.count)
    guard !scheme.isEmpty, rest.hasPrefix("://") else { return path.first == "/" ? path[...] : "" }
    return rest.dropFirst(3).drop { $0 != "/" }
  }

  /// A value of the query; nil where it has none of this name, or more than one.
  func value(_ name: String) -> String? {
    let values = query.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// The box that it names.
  package var namedBox: String? { value("box") }

  /// The value of a cookie; nil where it came twice.
  package func cookie(_ name: String) -> String? {
    var found: [Substring] = []
    for header in headers where header.name == "cookie" {
      for pair in header.value.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        if pair.hasPrefix(name + "=") { found.append(pair.dropFirst(name.count + 1)) }
      }
    }
    return found.count == 1 ? String(found[0]) : nil
  }
}

/// What the client gets.
package struct HTTPAnswer: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Goes on until the client leaves, or the stream ends.
    case stream(any HTTPStream)
  }

  package var status: Int
  package var type: String
  package var body: Body
  package var headers: [(name: String, value: String)] = []
  var stream: (any HTTPStream)? { if case .stream(let stream) = body { stream } else { nil } }

  package init(_ status: Int, _ type: String, _ body: [UInt8]) {
    self.status = status
    self.type = type
    self.body = .bytes(body)
  }

  package init(_ type: String, stream: any HTTPStream) {
    status = 200
    self.type = type
    body = .stream(stream)
  }
}

/// What becomes of a request's body, once its headers are known.
package enum HTTPAdmission: Sendable {
  /// It has at most the bytes of every request.
  case usual
  /// It may have more, up to this number; few at once may. The other one is the request's
  /// ``HTTPRequest/admitted``.
  case large(Int, for: Int)
  /// It isn't looked at.
  case refused(HTTPAnswer)
}

/// An answer that is known now, or one that takes a while.
package enum HTTPReply: Sendable {
  case now(HTTPAnswer)
  case later(@Sendable () async -> HTTPAnswer)
}

/// An answer that goes on. Its methods are called on the server's thread.
package protocol HTTPStream: AnyObject, Sendable {
  /// Called once, before anything but ``end()``.
  ///
  /// - Parameter wake: to be called when there is something to take; from any thread.
  func begin(wake: @escaping @Sendable () -> Void)
  /// What is to be sent next; asked for when the client has room.
  func next() -> HTTPStreamPart
  /// The client has left, maybe before the stream began, or the stream has ended; called once.
  func end()
}

package enum HTTPStreamPart: Sendable {
  case bytes([UInt8])
  /// Nothing at the moment.
  case nothing
  case end
}
