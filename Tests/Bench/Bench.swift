import BlueZ
import Clocks
import CourtLogic
import DBus
import Glibc
import Host
import MachineLink

/// The bridge's link to the machine, measured by itself, as `tools/bench/run` measures its peers.
///
/// `Bench write COUNT` does what the peers do: it connects and writes so many commands, each as soon as
/// the one before is acknowledged, and prints how long that took. `Bench client-write COUNT` writes past
/// the link, with the BlueZ client that the link is built upon. `Bench keep` writes a command whenever
/// there is a new link, and tells when that was acknowledged, until its input ends.
@main enum Bench {
  static func main() {
    // As the program does.
    OneThread.run {
      do { try await run() } catch {
        let line = Array("Bench: \(error)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
        return 1
      }
      return 0
    }
  }

  private static func run() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let count = arguments.dropFirst().first.flatMap { Int($0) }
    switch (arguments.first, count) {
    case ("write", let count?): try await write(count)
    case ("client-write", let count?): try await writeWithClient(count)
    case ("keep", nil): try await keep()
    default: exit(64)
    }
  }

  private struct Unexpected: Error {
    var what: String
  }

  private static let clock = SystemClock()
  private static let command = try! MachineCommand(digits: "110001060014004500")

  /// Known to BlueZ, so that nobody scans.
  private static var configuration: LinkConfiguration {
    var configuration = LinkConfiguration(address: BluetoothAddress("F0:F1:F2:F3:F4:00"))
    // As fast as the machine answers: what is measured is the way there and back.
    configuration.timing.commandSpacing = .zero
    return configuration
  }

  // MARK: Actions

  private static func write(_ count: Int) async throws {
    try await withLink { link, seconds in
      try await Writer(link: link).write(count, after: seconds)
    }
  }

  private static func writeWithClient(_ count: Int) async throws {
    try await withLink { _, seconds in
      let client = try await BlueZClient(bus: .system, revision: 0) { _ in }
      let path = try ObjectPath("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_00/service000a/char000b")
      try await measure(count, after: seconds) {
        try await client.write(Array(command.text.utf8), to: path, mode: .request)
      }
      await client.close()
    }
  }

  /// It lives where the service does: on the link's thread.
  private actor Writer {
    let link: BallMachineLink

    init(link: BallMachineLink) { self.link = link }

    nonisolated var unownedExecutor: UnownedSerialExecutor { link.unownedExecutor }

    func write(_ count: Int, after seconds: Double) async throws {
      try await measure(count, after: seconds) {
        let outcome = await link.launch(command, decidedAt: clock.now).outcome
        guard outcome == .delivered else { throw Unexpected(what: "\(outcome)") }
      }
    }
  }

  private static func keep() async throws {
    try await withLink { link, _ in
      let keeping = OneThread.task {
        var last: MonotonicInstant?
        for await status in await link.statuses()
        where status.phase == .ready && status.since != last {
          last = status.since
          guard await link.launch(command, decidedAt: clock.now).outcome == .delivered else {
            continue
          }
          tell(#"{"written": \#(clock.now.seconds)}"#)
        }
      }
      await endOfInput()
      keeping.cancel()
    }
  }

  /// At once: whoever reads it waits for it.
  private static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
  }

  private static func endOfInput() async {
    await withCheckedContinuation { continuation in
      let status = startThread {
        while getchar() != EOF {}
        continuation.resume()
      }
      precondition(status == 0, "no thread")
    }
  }

  // MARK: Measuring

  /// Runs the link while `body` does something with it.
  ///
  /// - Parameter body: is told how many seconds it took until the link was ready.
  private static func withLink(
    _ body: (BallMachineLink, Double) async throws -> Void
  ) async throws {
    let start = clock.now
    let link = BallMachineLink(configuration: configuration, central: BlueZCentral(bus: .system))
    async let run: Void = link.run()
    guard await link.waitUntilReady() else { throw Unexpected(what: "the link has ended") }
    try await body(link, start.duration(to: clock.now) / .seconds(1))
    await link.end()
    await run
  }

  /// Prints how long each of so many took, after a tenth of them to warm up.
  private static func measure(
    _ count: Int,
    after connecting: Double,
    _ work: () async throws -> Void
  ) async throws {
    for _ in 0..<count / 10 { try await work() }
    var samples: [Double] = []
    samples.reserveCapacity(count)
    let start = clock.now
    var before = start
    for _ in 0..<count {
      try await work()
      let after = clock.now
      samples.append(before.duration(to: after) / .seconds(1))
      before = after
    }
    let seconds = start.duration(to: before) / .seconds(1)
    print(#"{"connect": \#(connecting), "seconds": \#(seconds), "samples": \#(samples)}"#)
  }
}
