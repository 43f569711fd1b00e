import Glibc
import Host
import TestSupport
import Testing
import WebPage

/// The server that wraps libmicrohttpd; tools/page has the tests of what it serves.
@Suite(.mustEnd) struct HTTPServerTests {
  private static func connect(_ port: Int) throws -> FileDescriptor {
    let client = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    let isConnected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(client.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    return client
  }

  /// What the server says, up to its end of the connection.
  private static func said(to client: FileDescriptor) async -> String {
    await inSpareTime {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = read(client.number, &buffer, buffer.count), count > 0 {
        all += buffer[..<count]
      }
      return String(decoding: all, as: UTF8.self)
    }
  }

  /// libmicrohttpd doesn't listen while all places are taken, and only its next turn listens again.
  @Test func whenAllClientsAreCutAtOnceTheNextOneIsServed() async throws {
    let listener = try TCPListener("127.0.0.1", port: 0)
    var limits = HTTPServer.Limits()
    limits.connections = 4
    limits.timeout = .seconds(1)
    let server = HTTPServer(listener, limits: limits) { _ in
      .now(HTTPAnswer(200, "text/plain", Array("here".utf8)))
    }
    let running = Task { try await server.run() }
    for _ in 0..<3 {
      let silent = try (0..<limits.connections).map { _ in try Self.connect(listener.port) }
      for client in silent { #expect(await Self.said(to: client) == "") }
      let client = try Self.connect(listener.port)
      let request = "GET / HTTP/1.1\r\nHost: court\r\nConnection: close\r\n\r\n"
      try writeAll(request, to: client.number)
      #expect(await Self.said(to: client).hasSuffix("here"))
    }
    running.cancel()
    try await running.value
  }

  private final class Stream: HTTPStream {
    private let ends = Locked(0)
    var endCount: Int { ends.withLock(\.self) }

    func begin(wake: @escaping @Sendable () -> Void) {}
    func next() -> HTTPStreamPart { .end }
    func end() { ends.withLock { $0 += 1 } }
  }

  /// Leaves 0 to 0.8 ms after it has asked.
  private static func askAndLeave(_ port: Int, _ number: Int) throws {
    let client = try connect(port)
    try writeAll("GET / HTTP/1.1\r\nHost: court\r\n\r\n", to: client.number)
    let end = ContinuousClock.now + .microseconds(number % 100 * 8)
    while ContinuousClock.now < end {}
  }

  /// About one such client in some hundred has left before libmicrohttpd asks for the answer.
  @Test func aStreamEndsOnceWheneverItsClientLeaves() async throws {
    let listener = try TCPListener("127.0.0.1", port: 0)
    let streams = Locked<[Stream]>([])
    let server = HTTPServer(listener) { _ in
      .later {
        let stream = Stream()
        streams.withLock { $0.append(stream) }
        return HTTPAnswer("text/event-stream", stream: stream)
      }
    }
    let running = Task { try await server.run() }
    let asked = await inSpareTime {
      Result { for number in 0..<3000 { try Self.askAndLeave(listener.port, number) } }
    }
    try asked.get()
    // While the server is behind, all places of this address are taken.
    var answer = ""
    while answer.isEmpty {
      let last = try Self.connect(listener.port)
      let request = "GET / HTTP/1.1\r\nHost: court\r\nConnection: close\r\n\r\n"
      try writeAll(request, to: last.number)
      answer = await Self.said(to: last)
    }
    running.cancel()
    try await running.value
    #expect(streams.withLock(\.self).allSatisfy { $0.endCount == 1 })
  }

  // MARK: Long bodies

  /// A server that admits by the path, and the number of bytes that came is its answer.
  private static func serve(
    _ body: (Int, Locked<[CheckedContinuation<Void, Never>]>) async throws -> Void
  ) async throws {
    let listener = try TCPListener("127.0.0.1", port: 0)
    let waiting = Locked<[CheckedContinuation<Void, Never>]>([])
    let server = HTTPServer(
      listener,
      admit: { request in
        switch request.path {
        case "/long", "/waits": .large(100_000, for: 7)
        case "/refused": .refused(HTTPAnswer(409, "text/plain", Array("no".utf8)))
        default: .usual
        }
      },
      handle: { request in
        .later {
          if request.path == "/waits" {
            await withCheckedContinuation { more in waiting.withLock { $0.append(more) } }
          }
          return HTTPAnswer(
            200,
            "text/plain",
            Array("\(request.body.count) \(request.admitted ?? 0)".utf8)
          )
        }
      }
    )
    let running = Task { try await server.run() }
    try await body(listener.port, waiting)
    running.cancel()
    try await running.value
  }

  private static func post(_ path: String, _ count: Int, _ more: String = "") -> String {
    "POST \(path) HTTP/1.1\r\nHost: court\r\nContent-Length: \(count)\r\n\(more)\r\n"
      + String(repeating: "a", count: count)
  }

  private static let last = "Connection: close\r\n"

  @Test(arguments: [
    ("/other", 16_384, "200"), ("/other", 16_385, "413"), ("/long", 100_000, "200"),
    ("/long", 100_001, "413"),
  ])
  func aBodyIsAsLongAsItsKindMayBe(path: String, count: Int, status: String) async throws {
    try await Self.serve { port, _ in
      let client = try Self.connect(port)
      // One that is refused may not be read to its end.
      _ = try? writeAll(Self.post(path, count, Self.last), to: client.number)
      let said = await Self.said(to: client)
      #expect(said.isEmpty || said.hasPrefix("HTTP/1.1 \(status) "))
      #expect(status == "413" || said.hasSuffix("\r\n\r\n\(count) \(path == "/long" ? 7 : 0)"))
    }
  }

  /// Its connection goes on: a phone that is told why needn't connect again.
  @Test func aRefusedBodyIsPassedOver() async throws {
    try await Self.serve { port, _ in
      let client = try Self.connect(port)
      let both = Self.post("/refused", 300_000) + Self.post("/other", 3, Self.last)
      try writeAll(both, to: client.number)
      let said = await Self.said(to: client)
      #expect(said.hasPrefix("HTTP/1.1 409 ") && said.contains("\r\n\r\nnoHTTP/1.1 200 "))
      #expect(said.hasSuffix("\r\n\r\n3 0"))
    }
  }

  @Test func fewLongBodiesAreThereAtOnce() async throws {
    try await Self.serve { port, waiting in
      let two = try (0..<2).map { _ in try Self.connect(port) }
      for client in two { try writeAll(Self.post("/waits", 50_000, Self.last), to: client.number) }
      while waiting.withLock(\.count) < 2 { await Task.yield() }
      for (path, status) in [("/long", "503"), ("/other", "200")] {
        let client = try Self.connect(port)
        try writeAll(Self.post(path, 5, Self.last), to: client.number)
        #expect(await Self.said(to: client).hasPrefix("HTTP/1.1 \(status) "))
      }
      for client in waiting.withLock(\.self) { client.resume() }
      for client in two { #expect(await Self.said(to: client).hasSuffix("50000 7")) }
      let client = try Self.connect(port)
      try writeAll(Self.post("/long", 5, Self.last), to: client.number)
      #expect(await Self.said(to: client).hasPrefix("HTTP/1.1 200 "))
    }
  }
}
