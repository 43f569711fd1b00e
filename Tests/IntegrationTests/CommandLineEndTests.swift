import Foundation
import Glibc
import TestSupport
import Testing

/// The program ends when it is told to, whatever a disk or a reader of its output does meanwhile.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineEndTests {
  /// A pipe with a name, which nobody reads.
  private final class Pipe: Sendable {
    static let size = 4096
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
      self.path = path
      try #require(mkfifo(path, 0o600) == 0)
      descriptor = open(path, O_RDWR | O_CLOEXEC)
      // F_SETPIPE_SZ of Linux's fcntl(2).
      try #require(descriptor >= 0 && fcntl(descriptor, 1031, Int32(Self.size)) == Self.size)
    }

    deinit {
      close(descriptor)
      unlink(path)
    }

    /// Leaves no room in it.
    func fill() {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      while write(descriptor, " ", 1) == 1 {}
    }

    /// Returns when the program has begun to read it: it never sees the end.
    func hasReader() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [descriptor] in
          let text = String(repeating: "#", count: 2 * Self.size)
          var rest = Array(text.utf8)[...]
          while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { break }
          }
          continuation.resume()
        }
      }
    }
  }

  private enum Wish: CaseIterable { case signal, request }

  /// Below `/dev` a path may be a pipe that a shell passes, so it is waited for its writer: for the
  /// program that is a disk that does not answer.
  @Test(.mockOnly("its files lie on this box"), arguments: Wish.allCases)
  private func aConfigurationThatCanNotBeReadDelaysNoEnd(_ wish: Wish) async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let path = "/dev/shm/\(URL(fileURLWithPath: setup.directory).lastPathComponent)"
      try Data("court:\n  apron: 0\n".utf8).write(to: URL(fileURLWithPath: path))
      defer { unlink(path) }
      var serve = try setup.start(serving(setup, "--config", path, "--arm"))
      _ = try await serve.next("safety", state: "live")
      unlink(path)
      let disk = try Pipe(path)
      var console: ProgramEvents?
      switch wish {
      case .signal: serve.program.send(signal: SIGHUP)
      case .request:
        console = try setup.start(["console"])
        console?.program.write("reload\n")
      }
      await disk.hasReader()
      // One more does not help, and does no harm.
      serve.program.send(signal: SIGHUP)
      let (code, events, _) = try await serve.terminate()
      #expect(code == 0 && events.named("reload").isEmpty)
      #expect(events.last?.stop?.outcome == "confirmed")
      if let console {
        console.program.endInput()
        #expect(await console.ending().code != 0)
      }
      #expect(try await mock.terminate().writes().last == CourtFacts.stop)
    }
  }

  @Test(.mockOnly("its files lie on this box"))
  func aReaderThatTakesNothingDelaysNoEnd() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let output = try Pipe(setup.path("output"))
      let serve = try setup.start(
        serving(setup, "--arm"),
        script: #"exec "$@" > "$BALLMACHINE_RUNTIME_DIR/output""#
      )
      _ = try await mock.next("connected")
      output.fill()
      let result = try await serve.terminate()
      #expect(result.code == 74 && result.errors.contains("the reader does not read"))
      // The machine was let go in order.
      _ = try await mock.next("disconnected")
    }
  }

  @Test(.mockOnly("it has a bus of its own"))
  func aSimulationThatNobodyReadsEndsToo() async throws {
    try await CommandLineSetup.with { setup in
      let output = try Pipe(setup.path("output"))
      output.fill()
      let simulation = try setup.start(
        ["simulate", "--json", "--duration", "1", "--speed", "10"],
        script: #"exec "$@" > "$BALLMACHINE_RUNTIME_DIR/output""#
      )
      let result = await simulation.ending()
      #expect(result.code == 74 && result.errors.contains("the reader does not read"))
    }
  }

  /// Neither output can be written, and the exit code is still told.
  @Test(.mockOnly("its files lie on this box"))
  func aStandardErrorThatNobodyReadsDelaysNoEnd() async throws {
    try await CommandLineSetup.with { setup in
      let output = try Pipe(setup.path("output"))
      output.fill()
      // There is no service.
      let status = try setup.start(
        ["status"],
        script: #"exec "$@" 2> "$BALLMACHINE_RUNTIME_DIR/output""#
      )
      #expect(await status.ending().code == 69)
    }
  }

  private func serving(_ setup: CommandLineSetup, _ options: String...) -> [String] {
    ["serve", "--json", "--bus", setup.address, "--countdown", "0"] + options
  }
}
