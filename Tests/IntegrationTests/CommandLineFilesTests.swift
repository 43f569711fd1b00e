import Foundation
import Glibc
import TestSupport
import Testing

/// The files that the program finds open and may open.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineFilesTests {
  // MARK: Few files

  /// With too few it says so, and ends neither by a trap nor halfway.
  @Test(
    arguments: [
      ["serve"], ["serve", "--positions", "/dev/null"], ["status"], ["stop"], ["safe-stop"],
      ["doctor"], ["send", "--yes", "--zone", "1"], ["simulate", "--duration", "1"], ["--version"],
      ["replay", "/dev/null"], ["scan"], ["arm"], ["console"], ["check-config"], ["mock"],
    ]
  )
  func withTooFewFilesNothingBegins(_ arguments: [String]) async throws {
    try await CommandLineSetup.with { setup in
      for limit in [4, 5, 8, 12, 16, 18] {
        let result = try await setup.run(arguments, script: Self.limited(to: limit))
        let isEnough = ["stop", "--version"].contains(arguments[0])
        if isEnough, result.code != 71 { continue }
        #expect(result.code == 71, "\(limit): \(result)")
        #expect(result.errors.hasPrefix("ballmachine"), "\(limit): \(result)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(limit): \(result)")
      }
    }
  }

  @Test func aServiceThatStartsHasFilesForAStop() async throws {
    try await CommandLineSetup.with { setup in
      let scarce = try await setup.run(["serve"], script: Self.limited(to: 200))
      #expect(scarce.code == 71)
      let errors = scarce.errors
      #expect(errors.contains("LimitNOFILE="), "\(errors)")
      let needed = try #require(
        errors.split(separator: " ").compactMap { Int($0) }.max(),
        "\(errors)"
      )
      // What begins with exactly as many as it asks for, its feeders and clients can't use up.
      let mock = try await setup.mock()
      var serve = try setup.start(
        ["serve", "--json", "--bus", setup.address],
        script: Self.limited(to: needed + 3)
      )
      _ = try await serve.next("link", state: "ready")
      var crowd: [SocketFeeder] = []
      for name in ["positions.sock", "control.sock"] {
        for _ in 0..<needed {
          // At some point nobody is accepted any more.
          guard let client = try? SocketFeeder(setup.path(name)) else { break }
          crowd.append(client)
        }
      }
      let stop = try await setup.run(["stop"])
      #expect(stop.code == 0, "\(stop)")
      withExtendedLifetime(crowd) {}
      _ = try await serve.terminate()
      _ = try await mock.terminate()
    }
  }

  /// What other tests' processes have left open is closed first.
  private static func limited(to count: Int) -> String {
    #"""
    # LeakSanitizer waits for ever where it can't open a file.
    export ASAN_OPTIONS=detect_leaks=0
    for file in $(ls /proc/$$/fd); do [ "$file" -le 2 ] || eval "exec $file>&-"; done
    exec prlimit --nofile=\#(count):\#(count) "$@"
    """#
  }

  // MARK: Standard streams

  @Test func closedStreamsLeadNowhere() async throws {
    try await CommandLineSetup.with { setup in
      let pids = setup.path("pid")
      // The shell tells the process and becomes it.
      var serve = try setup.start(
        ["serve", "--json", "--positions", "unix:\(setup.path("p.sock"))", "--bus", setup.address],
        script: #"echo $$ >'\#(pids)'; exec "$@" <&- 2>&- "#
      )
      _ = try await serve.next("link")
      let process = try String(contentsOfFile: pids, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      for stream in [0, 2] {
        let target = try FileManager.default
          .destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(stream)")
        #expect(target == "/dev/null")
      }
      serve.program.send(signal: SIGTERM)
      #expect(await serve.ending().code == 0)
    }
  }

  @Test func withoutAPlaceForItsReportNoBallFlies() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let send = ["send", "--yes", "--zone", "0", "--bus", setup.address]
      let closed = try await setup.run(send, script: #"exec "$@" >&-"#)
      #expect(closed.code == 74)
      #expect(closed.errors.contains("nothing was sent"), "\(closed.errors)")
      let full = try await setup.run(send, script: #"exec "$@" >/dev/full"#)
      #expect(full.code == 74)
      #expect(full.errors.contains("delivered"), "\(full.errors)")
      #expect(full.errors.contains("No space left"), "\(full.errors)")
      let left = try await setup.run(send, script: #""$@" | true; exit ${PIPESTATUS[0]}"#)
      #expect(left.code == 0, "\(left)")
      // A stop waits for nothing.
      let stop = try await setup.run(
        ["send", CourtFacts.stop, "--bus", setup.address],
        script: #"exec "$@" >&-"#
      )
      #expect(stop.code == 74)
      let writes = try await mock.terminate().writes()
      let ball = try #require(CourtFacts.commands["0-0"])
      #expect(writes.filter { $0 == ball }.count == 2 && writes.contains(CourtFacts.stop))
    }
  }

  /// What a reader that has left doesn't hear, the exit status says.
  @Test func theExitStatusTellsWithoutAReader() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock("hang-writes \(CommandLineSetup.machine) always")
      let result = try await setup.run(
        ["send", "--yes", "--zone", "0", "--bus", setup.address],
        script: #""$@" | true; exit ${PIPESTATUS[0]}"#
      )
      #expect(result.code == 75, "\(result)")
      _ = try await mock.terminate()
    }
  }
}
