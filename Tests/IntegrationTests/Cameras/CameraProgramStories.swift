import Calibrations
import Camera
import Clocks
import Foundation
import Host
import TestSupport
import Testing

extension CameraStories {
  /// The program at work: from a camera's frames to balls at the machine, with the real bluetoothd.
  @Suite struct Programs {
    /// `camera status`; nil while its program does not answer.
    private func status(_ setup: CommandLineSetup) async throws -> CameraStatus? {
      let status = try await setup.run(["camera", "status", "--json"], script: script(setup))
      guard status.code == 0 else { return nil }
      return try JSONDecoder().decode(CameraStatus.self, from: Data(status.output.utf8))
    }

    /// Returns when it is like that.
    private func status(
      _ setup: CommandLineSetup,
      _ isReached: (CameraStatus) -> Bool
    ) async throws -> CameraStatus {
      while true {
        if let status = try await status(setup), isReached(status) { return status }
        try await Task.sleep(for: .milliseconds(100))
      }
    }

    private func script(_ setup: CommandLineSetup) -> String {
      "export BALLMACHINE_CAMERA_DIR=\(setup.directory); exec \"$@\""
    }

    /// The next ball that was decided on with nothing older than what the camera shows now.
    private func ball(
      _ serve: inout ProgramEvents,
      for projector: Projector
    ) async throws -> ProgramEvent {
      await projector.stands()
      // Positions of a second make a ball.
      let since = SystemClock().now.seconds + 2
      while true {
        let ball = try await serve.next("dispatch")
        if ball.t ?? 0 > since { return ball }
      }
    }

    @Test func whatACameraShowsBecomesBallsAndNothingElseDoes() async throws {
      let film = try RenderedFilm()
      let first = try film.stop()
      let second = try film.stop(after: first.frame, notIn: first.zone)
      try await CommandLineSetup.with { setup in
        let court = try setup.write(film.calibration.yaml, to: "court.yaml")
        let config = try setup.write(
          """
          court: {calibration: court.yaml, apron: 3}
          safety: {countdown: 0, silence-before-disarming: 600}

          """,
          to: "config.yaml"
        )
        let mock = try await setup.mock()
        var projector = try Projector(film, to: first)
        await projector.start()
        let camera = try setup.start(
          [
            "camera", "run", "--device", Cameras.fed, "--calibration", court,
            "--feed", setup.path("positions.sock"),
          ],
          script: script(setup)
        )
        var serve = try setup.start(
          ["serve", "--json", "--bus", setup.address, "--config", config])
        _ = try await serve.next("link", state: "ready")
        let arm = try await setup.run(["arm"])
        #expect(arm.code == 0, "\(arm)")
        #expect(try await ball(&serve, for: projector).zone == first.zone)
        await projector.goOn(to: second)
        #expect(try await ball(&serve, for: projector).zone == second.zone)

        // The feeder stops.
        let end = await projector.end()
        let blind = try await status(setup) { $0.sight.state == .noCamera }
        #expect(blind.sight.reason?.contains(Cameras.fed) == true, "\(blind)")
        // A ball would have been due.
        try await Task.sleep(for: .seconds(4))
        let still = try await status(setup) { _ in true }
        #expect(still.feed.sent == blind.feed.sent && still.sight.state == .noCamera, "\(still)")

        // It comes back.
        let again = SystemClock().now
        projector = try Projector(film, to: first)
        await projector.start()
        #expect(try await ball(&serve, for: projector).zone == first.zone)
        let seen = try await status(setup) { $0.sight.state == .player }
        #expect(seen.feed.sent > 0 && seen.feed.reason == nil, "\(seen)")

        _ = await projector.end()
        camera.program.send(signal: SIGTERM)
        #expect(await camera.ending().code == 0)
        let (code, events, errors) = try await serve.terminate()
        #expect(code == 0, "\(errors)")
        let balls = events.named("dispatch")
        // A position is fresh for a second, and its time is its frame's.
        let stale = balls.filter {
          (end.seconds + 1.1..<again.seconds).contains($0.t ?? 0)
        }
        #expect(stale.isEmpty, "\(stale)")
        #expect(try await mock.terminate().ballWrites() == balls.compactMap(\.command))
      }
    }

    @Test func anUnpluggedCameraIsReportedAndOpenedAgain() async throws {
      try await CommandLineSetup.with { setup in
        let camera = try setup.start(
          [
            "camera", "run", "--device", Cameras.test, "--calibration", setup.path("court.yaml"),
            "--feed", setup.path("positions.sock"),
          ],
          script: script(setup) + " 2> \(setup.path("log"))"
        )
        func lines() throws -> [String] {
          let log = try String(contentsOfFile: setup.path("log"), encoding: .utf8)
          return log.split(separator: "\n").map(String.init)
        }
        func reaches(_ isReached: ([String]) -> Bool) async throws {
          while try !isReached(lines()) { try await Task.sleep(for: .milliseconds(50)) }
        }
        try await setup.appears("log")
        try await reaches { $0.last?.contains("no position") == true }
        try VideoNode.set("Disconnect", of: Cameras.test)
        try await reaches { $0.last?.contains("no camera") == true }
        try await reaches { $0.last?.contains("no position") == true }
        let back = try await status(setup) { $0.frames.taken > 0 }
        #expect(back.device == Cameras.test && back.sight.state == .nothing, "\(back)")
        camera.program.send(signal: SIGTERM)
        #expect(await camera.ending().code == 0)
        let gone = try lines().filter { $0.contains("no camera") }
        #expect(gone.count == 1 && gone[0].hasSuffix("; connect the camera again"), "\(gone)")
      }
    }
  }
}
