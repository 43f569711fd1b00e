import Foundation
import Glibc
import TestSupport
import Testing

/// The files that the program finds open and may open.
@Suite(.onEitherStage, .mustEnd)
struct CommandLineFilesTests {
  @Test func closedStreamsLeadNowhere() async throws {
    try await CommandLineStage.with { stage in
      let pids = stage.path("pid")
      // The shell tells the process and becomes it.
      var serve = try stage.start(
        ["serve", "--json", "--positions", "unix:\(stage.path("p.sock"))", "--bus", stage.address],
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
    try await CommandLineStage.with { stage in
      let mock = try await stage.mock()
      let send = ["send", "--yes", "--zone", "0", "--bus", stage.address]
      let closed = try await stage.run(send, script: #"exec "$@" >&-"#)
      #expect(closed.code == 74)
      #expect(closed.errors.contains("nothing was sent"), "\(closed.errors)")
      let full = try await stage.run(send, script: #"exec "$@" >/dev/full"#)
      #expect(full.code == 74)
      #expect(full.errors.contains("delivered"), "\(full.errors)")
      #expect(full.errors.contains("No space left"), "\(full.errors)")
      let left = try await stage.run(send, script: #""$@" | true; exit ${PIPESTATUS[0]}"#)
      #expect(left.code == 0, "\(left)")
      // A stop waits for nothing.
      let stop = try await stage.run(
        ["send", CourtFacts.stop, "--bus", stage.address],
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
    try await CommandLineStage.with { stage in
      let mock = try await stage.mock("hang-writes \(CommandLineStage.machine) always")
      let result = try await stage.run(
        ["send", "--yes", "--zone", "0", "--bus", stage.address],
        script: #""$@" | true; exit ${PIPESTATUS[0]}"#
      )
      #expect(result.code == 75, "\(result)")
      _ = try await mock.terminate()
    }
  }
}
