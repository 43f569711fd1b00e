import Glibc
import TestSupport
import Testing

@testable import Host

struct LineServerTests {
  private let directory: TemporaryDirectory
  private var path: String { directory("lines.sock") }

  init() throws { directory = try TemporaryDirectory() }

  /// Runs `body` while a server echoes lines, and says `-` of those that are too long.
  private func serving(_ body: () async throws -> Void) async throws {
    let elsewhere = LoopExecutor()
    let server = try LineServer(path: path, longest: 10) { line in
      // Answers that take different times stay in order.
      if line?.last == UInt8(ascii: "0") { await elsewhere.settle() }
      return (line ?? Array("-".utf8)) + [UInt8(ascii: "\n")]
    }
    let running = Task.immediate { await server.run() }
    defer { running.cancel() }
    try await body()
  }

  private func talk<Answer: Sendable>(
    _ body: @escaping @Sendable (inout LineClient) throws(LineClientError) -> Answer
  ) async throws(LineClientError) -> Answer {
    try await LineClient.talk(to: "the echo", path: path, body)
  }

  @Test(.mustEnd) func requestsAreAnsweredInOrder() async throws {
    try await serving {
      let lines = try await talk { client throws(LineClientError) in
        try client.send(Array((0..<100).map(String.init).joined(separator: "\n").utf8))
        var lines: [String] = []
        for _ in 0..<100 { lines.append(String(decoding: try client.line(), as: UTF8.self)) }
        return lines
      }
      #expect(lines == (0..<100).map(String.init))
    }
  }

  @Test(.mustEnd) func aLineThatIsTooLongIsAnsweredAndTheNextOneToo() async throws {
    try await serving {
      let lines = try await talk { client throws(LineClientError) in
        try client.send(Array(repeating: UInt8(ascii: "x"), count: 100_000))
        try client.send(Array("short".utf8))
        return [try client.line(), try client.line()]
      }
      #expect(lines == [Array("-".utf8), Array("short".utf8)])
    }
  }

  /// Nothing is kept for a client that only asks; others are answered.
  @Test(.mustEnd) func aFloodIsCutOff() async throws {
    try await serving {
      let flood = try Feeder(socket: path)
      while await flood.write(String(repeating: "x\n", count: 10_000)) {}
      let line = try await talk { client throws(LineClientError) in
        try client.send(Array("here".utf8))
        return try client.line()
      }
      #expect(line == Array("here".utf8))
    }
  }

  @Test(.mustEnd) func oneClientTooManyIsClosed() async throws {
    try await serving {
      let clients = try (0..<16).map { _ in try Feeder(socket: path) }
      for client in clients {
        await client.write("x\n")
        #expect(await client.reply() == "x\n")
      }
      #expect(try await Feeder(socket: path).reply() == nil)
      withExtendedLifetime(clients) {}
    }
  }

  @Test(.mustEnd) func aMissingServerIsUnreachable() async throws {
    let path = path
    let error = await #expect(throws: LineClientError.self) {
      try await LineClient.talk(to: "the echo", path: path) { _ in }
    }
    #expect(error?.code == .unreachable)
    #expect(error?.description.hasPrefix("the echo does not run (\(path)): ") == true)
  }
}
