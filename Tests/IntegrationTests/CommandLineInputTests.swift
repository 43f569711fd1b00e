import Glibc
import TestSupport
import Testing

/// The files that the program is told to read.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineInputTests {
  @Test(arguments: [
    ["check-config"], ["check-table"], ["replay", "--dry-run"], ["serve", "--table"],
    ["serve", "--config"], ["simulate", "--track"], ["mock", "--script"],
    ["explain", "--zone", "1", "--table"],
  ])
  func aFIFOIsNotWaitedFor(_ arguments: [String]) async throws {
    try await CommandLineSetup.with { setup in
      let fifo = setup.path("fifo")
      try #require(mkfifo(fifo, 0o600) == 0)
      let result = try await setup.run(arguments + [fifo])
      #expect([65, 66, 78].contains(result.code), "\(result)")
      #expect((result.output + result.errors).contains("it is not a regular file"), "\(result)")
    }
  }

  @Test func whatAShellPassesIsRead() async throws {
    try await CommandLineSetup.with { setup in
      let track = #"0,1,1\n1,2,2\n"#
      for script in [
        #"exec "$@" <(sleep 0.2; printf '\#(track)')"#,
        #"(sleep 0.2; printf '\#(track)') | "$@" /dev/stdin"#,
      ] {
        let result = try await setup.run(["replay", "--dry-run"], script: script)
        #expect(result.code == 0, "\(result)")
        #expect(result.output.contains("2 positions"), "\(result)")
      }
    }
  }

  /// Before a ball: behind the gap nobody would arm it again.
  @Test(arguments: [(64, [] as [String], 65), (64, ["--speed", "2"], 69), (62, [], 69)])
  func aTrackWithAGapThatEndsTheSessionIsNotPlayed(
    _ gap: Int,
    _ options: [String],
    _ code: Int32
  ) async throws {
    try await CommandLineSetup.with { setup in
      let track = try setup.write("0,1,1\n2,1,1\n\(2 + gap),2,2\n", to: "track.csv")
      let noBus = ["--bus", "unix:path=/proc/none"]
      let result = try await setup.run(["replay", track] + options + noBus)
      #expect(result.code == code)
      let message = "\(gap) s without a position, 2 s after the first"
      #expect(result.errors.contains(message) == (code == 65), "\(result)")
    }
  }
}
