import CMicroHTTPD
import Glibc
import Host

/// A server of libmicrohttpd without a thread of its own: what it needs done, and when, its owner asks.
struct HTTPDaemon {
  private let daemon: OpaquePointer

  /// - Parameter server: is called, until ``stop()``; it outlives this.
  init(
    _ listener: TCPListener,
    _ identity: HTTPServer.Identity?,
    limits: HTTPServer.Limits,
    for server: HTTPServer
  ) throws(SystemError) {
    let (seconds, _) = limits.timeout.components
    let context = Unmanaged.passUnretained(server).toOpaque()
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
  }

  /// Readable when ``run()`` has something to do.
  var epoll: Int32 { microhttpd_epoll(daemon) }

  /// In milliseconds, until ``run()`` has something to do without being readable; nil: nothing.
  var timeout: UInt64? {
    var milliseconds: UInt64 = 60_000
    return MHD_get_timeout(daemon, &milliseconds) == .YES ? milliseconds : nil
  }

  /// Does what can be done now.
  func run() { MHD_run(daemon) }

  /// No connection may be suspended.
  func stop() { MHD_stop_daemon(daemon) }
}

/// A client's connection; valid until libmicrohttpd says that it is closed.
struct HTTPConnection: Hashable {
  private let connection: OpaquePointer

  fileprivate init(_ connection: OpaquePointer) { self.connection = connection }

  func suspend() { MHD_suspend_connection(connection) }
  func resume() { MHD_resume_connection(connection) }

  /// libmicrohttpd notices it as an end by the client.
  func cut() { shutdown(microhttpd_socket(connection), Int32(SHUT_RDWR)) }

  /// Begins the answer of an exchange.
  ///
  /// - Parameter wake: is called when the answer's stream has something to take; from any thread.
  func send(
    _ answer: HTTPAnswer,
    of exchange: Exchange,
    wake: @escaping @Sendable () -> Void
  ) -> Bool {
    let response: OpaquePointer?
    switch answer.body {
    case .bytes(var bytes):
      response = MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
    case .stream(let stream):
      stream.begin(wake: wake)
      noticeAbsence()
      response = MHD_create_response_from_callback(
        microhttpd_unknown_size,
        4096,
        readStream,
        Unmanaged.passRetained(exchange).toOpaque(),
        freeStream
      )
    }
    guard let response else { return false }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", answer.type)
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    if exchange.isLast { MHD_add_response_header(response, "Connection", "close") }
    return MHD_queue_response(connection, UInt32(answer.status), response) == .YES
  }

  /// A client that has gone without a word is noticed: nothing that was sent is acknowledged.
  private func noticeAbsence() {
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
    nonisolated(unsafe) let client = HTTPConnection(connection)
    let request = HTTPRequest(connection, String(cString: method), String(cString: path))
    let exchange = server.assumeIsolated { $0.begin(request, client) }
    state.pointee = Unmanaged.passRetained(exchange).toOpaque()
    // What is refused already needs no body.
    let isRefused = server.assumeIsolated { _ in exchange.answer != nil && !exchange.isPassedOver }
    return isRefused ? server.assumeIsolated { $0.answer(exchange) ? .YES : .NO } : .YES
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  if size.pointee > 0 {
    let bytes = Array(UnsafeRawBufferPointer(start: part, count: size.pointee))
    server.assumeIsolated { $0.receive(bytes, for: exchange) }
    size.pointee = 0
    return .YES
  }
  return server.assumeIsolated { $0.answer(exchange) ? .YES : .NO }
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
  nonisolated(unsafe) let client = HTTPConnection(connection)
  server.assumeIsolated {
    if change == .CONNECTION_NOTIFY_STARTED { $0.open(client) } else { $0.close(client) }
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
    ?? Int(MHD_CONTENT_READER_END_OF_STREAM)
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
