/// One request and its answer.
final class Exchange: @unchecked Sendable {
  // Invariant: only the server and libmicrohttpd's calls touch it, all on the server's thread.

  /// Never given twice: an answer may come after its request's end.
  typealias Number = UInt64

  enum Stage {
    case receiving
    /// The answer is being made; what still comes of the request is passed over.
    case answering
    case answered(HTTPAnswer)
    case ended
  }

  let number: Number
  /// Nil once libmicrohttpd has let go of it.
  var connection: HTTPConnection?
  var request: HTTPRequest
  var stage = Stage.receiving
  /// Whether what follows on the connection is not to be trusted, or not wanted.
  var isLast = false
  /// Whether the body is taken from the client, and thrown away, though the answer is there.
  var isPassedOver = false
  /// The most bytes of the body that are kept.
  var mostBody = 0
  /// What of the stream did not fit.
  var rest: [UInt8] = []
  private(set) var isSuspended = false

  init(_ number: Number, _ connection: HTTPConnection, _ request: HTTPRequest) {
    self.number = number
    self.connection = connection
    self.request = request
  }

  /// The bytes that the body will have; 0 where its headers don't say so.
  var length: Int { request.header("content-length").map { Int($0) ?? .max } ?? 0 }

  var answer: HTTPAnswer? {
    if case .answered(let answer) = stage { answer } else { nil }
  }

  func suspend() {
    guard let connection, !isSuspended else { return }
    isSuspended = true
    connection.suspend()
  }

  func resume() {
    guard let connection, isSuspended else { return }
    isSuspended = false
    connection.resume()
  }

  /// Copies what the stream has; 0 after it was suspended, nil at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    if rest.isEmpty {
      switch answer?.stream?.next() ?? .end {
      case .bytes(let bytes): rest = bytes
      case .nothing:
        suspend()
        return 0
      case .end: return nil
      }
    }
    let count = min(buffer.count, rest.count)
    buffer.copyBytes(from: rest.prefix(count))
    rest.removeFirst(count)
    return count
  }
}
