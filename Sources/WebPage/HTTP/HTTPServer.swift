import CMicroHTTPD
import Glibc
package import Host

/// libmicrohttpd on the program's one thread: its epoll descriptor is one more file that the loop
/// watches, and its only timer is set after each turn.
package actor HTTPServer {
  /// What clients can take of the box.
  package struct Limits: Sendable {
    /// At once; the next one is closed at once.
    package var connections = 64
    /// A club's phones may share their router's.
    package var connectionsPerAddress = 48
    /// The longest time without a byte in either direction, and for a whole request: bytes now and
    /// then keep no place.
    package var timeout = Duration.seconds(10)
    /// Between two requests: a browser that has loaded the page keeps six connections.
    package var idle = Duration.seconds(2)
    /// The most bytes of a request's line and headers, and of what libmicrohttpd notes of them.
    package var headers = 16_384
    /// The most bytes of a request's body.
    package var body = 16_384
    /// Whether what RFC 9112 forbids is refused; else what can be understood is taken.
    package var isStrict = true

    package init() {}

    /// The limits of a port for stops alone: short, and many.
    package static let ofStops = {
      var limits = Limits()
      limits.connections = 128
      limits.connectionsPerAddress = 16
      limits.timeout = .seconds(2)
      limits.isStrict = false
      return limits
    }()
  }

  /// The PEM texts of a certificate and its key.
  package struct Identity: Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  private nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let listener: TCPListener
  private let limits: Limits
  private let identity: Identity?
  private let handle: @Sendable (HTTPRequest) -> HTTPReply
  private var daemon: OpaquePointer?
  private var exchanges: [Exchange.Number: Exchange] = [:]
  private var lastExchange: Exchange.Number = 0
  /// Until when a connection's next request has to be whole, or, while it is idle, to begin.
  private var deadlines: [OpaquePointer: (end: ContinuousClock.Instant, isIdle: Bool)] = [:]
  private var isTurning = false
  private var turnsAgain = false
  private var isTurnDue = false
  /// When the loop will call, so that each turn needs no timer of its own.
  private var alarm: ContinuousClock.Instant?

  /// - Parameter handle: called on the server's thread, once a request.
  package init(
    _ listener: TCPListener,
    _ identity: Identity? = nil,
    limits: Limits = Limits(),
    handle: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) {
    self.listener = listener
    self.identity = identity
    self.limits = limits
    self.handle = handle
  }

  /// Answers until the task is cancelled.
  ///
  /// - Throws: if libmicrohttpd refuses the certificate or the socket.
  package func run() async throws(SystemError) {
    let daemon = try start()
    let watch = executor.watch(microhttpd_epoll(daemon)) { [weak self] in
      self?.assumeIsolated { $0.turn() }
    }
    turn()
    await cancellation()
    withExtendedLifetime(watch) {}
    end()
  }

  private func start() throws(SystemError) -> OpaquePointer {
    let (seconds, _) = limits.timeout.components
    let context = Unmanaged.passUnretained(self).toOpaque()
    // libmicrohttpd reads both while it starts, and keeps neither.
    let daemon = withTexts(identity?.key, identity?.certificate) { key, certificate in
      microhttpd_start(
        microhttpd_settings(
          listener: fcntl(listener.descriptor.number, F_DUPFD_CLOEXEC, 0),
          connections: UInt32(limits.connections),
          connections_per_address: UInt32(limits.connectionsPerAddress),
          timeout: UInt32(seconds),
          memory: limits.headers,
          strictness: limits.isStrict ? 1 : -1,
          key: key,
          certificate: certificate
        ),
        takeRequest,
        endRequest,
        changeConnection,
        context
      )
    }
    guard let daemon else { throw SystemError("serve HTTP on port \(listener.port)") }
    self.daemon = daemon
    return daemon
  }

  private func end() {
    // libmicrohttpd waits for suspended connections.
    for exchange in exchanges.values { exchange.resume() }
    if let daemon { MHD_stop_daemon(daemon) }
    daemon = nil
  }

  /// Lets libmicrohttpd do what it can do now.
  private func turn() {
    guard let daemon else { return }
    guard !isTurning else {
      turnsAgain = true
      return
    }
    isTurning = true
    repeat {
      turnsAgain = false
      MHD_run(daemon)
      cutLate()
    } while turnsAgain
    isTurning = false
    setAlarm(daemon)
  }

  /// libmicrohttpd notices it as an end by the client.
  private func cutLate() {
    let now = ContinuousClock.now
    for (connection, deadline) in deadlines where deadline.end <= now {
      deadlines[connection] = nil
      shutdown(microhttpd_socket(connection), Int32(SHUT_RDWR))
      turnsAgain = true
    }
  }

  private func setAlarm(_ daemon: OpaquePointer) {
    var milliseconds: UInt64 = 60_000
    let hasTimeout = MHD_get_timeout(daemon, &milliseconds) == .YES
    let late = deadlines.values.map(\.end).min()
    guard hasTimeout || late != nil else { return }
    let now = ContinuousClock.now
    let asked = Duration.milliseconds(Int64(min(milliseconds, 60_000)))
    let delay = max(.zero, min(asked, late.map { now.duration(to: $0) } ?? asked))
    let deadline = now.advanced(by: delay)
    if let alarm, now < alarm, alarm <= deadline { return }
    alarm = deadline
    executor.perform(after: delay) { [weak self] in
      self?.assumeIsolated { server in
        if server.alarm == deadline { server.alarm = nil }
        server.turn()
      }
    }
  }

  // MARK: Requests

  fileprivate func open(_ connection: OpaquePointer) {
    deadlines[connection] = (.now + limits.timeout, false)
  }

  fileprivate func close(_ connection: OpaquePointer) {
    deadlines[connection] = nil
    // Where all places were taken, libmicrohttpd listens again in its next turn only.
    turnsAgain = true
  }

  /// The headers are known.
  fileprivate func begin(_ request: HTTPRequest, _ connection: OpaquePointer) -> Exchange {
    if deadlines[connection]?.isIdle == true { open(connection) }
    var request = request
    request.isSecure = identity != nil
    lastExchange += 1
    let exchange = Exchange(lastExchange, connection, request)
    exchanges[exchange.number] = exchange
    exchange.isLast = !request.hasOneLength
    // A body that is long in coming delays no stop.
    if request.isStop {
      start(exchange)
    } else if exchange.isLast {
      exchange.stage = .answered(.failure(400, "badLength", "the request's length is not clear"))
    } else if let length = request.header("content-length"), Int(length) ?? .max > limits.body {
      exchange.stage = .answered(.tooLong)
      exchange.isLast = true
    }
    return exchange
  }

  fileprivate func finish(_ exchange: Exchange) {
    exchanges[exchange.number] = nil
    if let connection = exchange.connection {
      deadlines[connection] = (.now + limits.idle, true)
    }
    exchange.connection = nil
    // It may not have begun: libmicrohttpd asks for no answer of a client that has left.
    exchange.answer?.stream?.end()
    exchange.stage = .ended
  }

  /// A part of the request's body.
  fileprivate func receive(_ part: [UInt8], for exchange: Exchange) {
    guard case .receiving = exchange.stage else { return }
    if exchange.request.body.count + part.count <= limits.body {
      exchange.request.body += part
    } else {
      exchange.stage = .answered(.tooLong)
    }
  }

  /// The request is whole, or its answer is there.
  fileprivate func answer(_ exchange: Exchange) -> MHD_Result {
    if let connection = exchange.connection { close(connection) }
    if case .receiving = exchange.stage { start(exchange) }
    if let answer = exchange.answer { return queue(answer, exchange) }
    exchange.suspend()
    return .YES
  }

  private func start(_ exchange: Exchange) {
    switch handle(exchange.request) {
    case .now(let answer): exchange.stage = .answered(answer)
    case .later(let work):
      exchange.stage = .answering
      let number = exchange.number
      OneThread.task { [weak self] in
        let answer = await work()
        await self?.resume(number, with: answer)
      }
    }
  }

  private func resume(_ number: Exchange.Number, with answer: HTTPAnswer) {
    guard let exchange = exchanges[number] else {
      answer.stream?.end()
      return
    }
    exchange.stage = .answered(answer)
    exchange.resume()
    turn()
  }

  private func queue(_ answer: HTTPAnswer, _ exchange: Exchange) -> MHD_Result {
    guard let connection = exchange.connection else { return .NO }
    let response: OpaquePointer?
    switch answer.body {
    case .bytes(var bytes):
      response = MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
    case .stream(let stream):
      let number = exchange.number
      stream.begin { [weak self, executor] in
        executor.perform { [weak self] in self?.assumeIsolated { $0.wake(number) } }
      }
      setVanishing(connection)
      response = MHD_create_response_from_callback(
        microhttpd_unknown_size,
        4096,
        readStream,
        Unmanaged.passRetained(exchange).toOpaque(),
        freeStream
      )
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", answer.type)
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    if exchange.isLast { MHD_add_response_header(response, "Connection", "close") }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }

  private func wake(_ number: Exchange.Number) {
    guard let exchange = exchanges[number], exchange.isSuspended else { return }
    exchange.resume()
    // Once for all that are woken by the same event.
    guard !isTurnDue else { return }
    isTurnDue = true
    executor.perform { [weak self] in
      self?.assumeIsolated { server in
        server.isTurnDue = false
        server.turn()
      }
    }
  }

  /// A client that has gone without a word is noticed: nothing that was sent is acknowledged.
  private func setVanishing(_ connection: OpaquePointer) {
    var milliseconds = UInt32(5_000)
    setsockopt(
      microhttpd_socket(connection),
      Int32(IPPROTO_TCP),
      TCP_USER_TIMEOUT,
      &milliseconds,
      socklen_t(MemoryLayout.size(ofValue: milliseconds))
    )
  }
}

/// One request and its answer.
private final class Exchange: @unchecked Sendable {
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
  var connection: OpaquePointer?
  var request: HTTPRequest
  var stage = Stage.receiving
  /// Whether what follows on the connection is not to be trusted, or not wanted.
  var isLast = false
  /// What of the stream did not fit.
  var rest: [UInt8] = []
  private(set) var isSuspended = false

  init(_ number: Number, _ connection: OpaquePointer, _ request: HTTPRequest) {
    self.number = number
    self.connection = connection
    self.request = request
  }

  var answer: HTTPAnswer? {
    if case .answered(let answer) = stage { answer } else { nil }
  }

  func suspend() {
    guard let connection, !isSuspended else { return }
    isSuspended = true
    MHD_suspend_connection(connection)
  }

  func resume() {
    guard let connection, isSuspended else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Copies what the stream has; 0 after it was suspended.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if rest.isEmpty {
      switch answer?.stream?.next() ?? .end {
      case .bytes(let bytes): rest = bytes
      case .nothing:
        suspend()
        return 0
      case .end: return Int(MHD_CONTENT_READER_END_OF_STREAM)
      }
    }
    let count = min(buffer.count, rest.count)
    buffer.copyBytes(from: rest.prefix(count))
    rest.removeFirst(count)
    return count
  }
}

extension HTTPAnswer {
  fileprivate static let tooLong = failure(413, "tooLong", "the request is too long")
}

private func withTexts<Result>(
  _ first: String?,
  _ second: String?,
  _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let first, let second else { return body(nil, nil) }
  return first.withCString { first in second.withCString { body(first, $0) } }
}

// MARK: libmicrohttpd's calls, on the server's thread

private func takeRequest(
  _ context: UnsafeMutableRawPointer?,
  _ connection: OpaquePointer?,
  _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?,
  _ version: UnsafePointer<CChar>?,
  _ part: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let path, let method, let size, let state else { return .NO }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  guard let known = state.pointee else {
    // libmicrohttpd calls on the server's thread: nothing is handed over.
    nonisolated(unsafe) let connection = connection
    let request = HTTPRequest(connection, String(cString: method), String(cString: path))
    let exchange = server.assumeIsolated { $0.begin(request, connection) }
    state.pointee = Unmanaged.passRetained(exchange).toOpaque()
    // What is refused already needs no body.
    let isRefused = server.assumeIsolated { _ in exchange.answer != nil }
    return isRefused ? server.assumeIsolated { $0.answer(exchange) } : .YES
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  if size.pointee > 0 {
    let bytes = Array(UnsafeRawBufferPointer(start: part, count: size.pointee))
    server.assumeIsolated { $0.receive(bytes, for: exchange) }
    size.pointee = 0
    return .YES
  }
  return server.assumeIsolated { $0.answer(exchange) }
}

private func endRequest(
  _ context: UnsafeMutableRawPointer?,
  _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ reason: MHD_RequestTerminationCode
) {
  guard let context, let state, let known = state.pointee else { return }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
  state.pointee = nil
  server.assumeIsolated { $0.finish(exchange) }
}

private func changeConnection(
  _ context: UnsafeMutableRawPointer?,
  _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ change: MHD_ConnectionNotificationCode
) {
  guard let context, let connection else { return }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  nonisolated(unsafe) let pointer = connection
  server.assumeIsolated {
    if change == .CONNECTION_NOTIFY_STARTED { $0.open(pointer) } else { $0.close(pointer) }
  }
}

private func readStream(
  _ exchange: UnsafeMutableRawPointer?,
  _ position: UInt64,
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  guard let exchange else { return Int(MHD_CONTENT_READER_END_WITH_ERROR) }
  return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private func freeStream(_ exchange: UnsafeMutableRawPointer?) {
  if let exchange { Unmanaged<Exchange>.fromOpaque(exchange).release() }
}

extension HTTPRequest {
  fileprivate init(_ connection: OpaquePointer, _ method: String, _ path: String) {
    self.init(method, path, from: microhttpd_peer(connection).flatMap { ClientAddress($0) })
    headers = Self.values(connection, .HEADER_KIND)
    query = Self.values(connection, .GET_ARGUMENT_KIND)
  }

  private static func values(
    _ connection: OpaquePointer,
    _ kind: MHD_ValueKind
  ) -> [(name: String, value: String)] {
    var values: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &values) {
      _ = MHD_get_connection_values(connection, kind, addValue, $0)
    }
    return values
  }
}

private func addValue(
  _ values: UnsafeMutableRawPointer?,
  _ kind: MHD_ValueKind,
  _ name: UnsafePointer<CChar>?,
  _ value: UnsafePointer<CChar>?
) -> MHD_Result {
  guard let values, let name else { return .NO }
  values.assumingMemoryBound(to: [(name: String, value: String)].self).pointee.append(
    (String(cString: name).lowercased(), value.map { String(cString: $0) } ?? "")
  )
  return .YES
}
