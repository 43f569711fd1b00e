import Calibrations
import CourtMapping
import Foundation
import TestSupport
import Testing

/// A camera's calibration at the command line and at the service.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLineCalibrationTests {
  @Test(.mockOnly("it needs no machine"))
  func aCalibrationIsCheckedAndUsed() async throws {
    try await CommandLineSetup.with { setup in
      let file = try setup.write(SampleCalibration.file, to: "court.yaml")
      let check = try await setup.run(["check-calibration", file])
      #expect(check.code == 0 && check.errors == "", "\(check)")
      #expect(check.lines.first == "camera    \(SampleCalibration.sentence)")
      let json = try await setup.run(["check-calibration", "--json", file])
      #expect(try ProgramEvent.all(json.output).map(\.event) == ["calibration"])
      let config = try setup.write("court: {calibration: court.yaml}\n", to: "config.yaml")
      let configured = try await setup.run(["check-calibration", "--config", config])
      #expect(configured.output == check.output)
      // The baseline's middle.
      let explained = try await setup.run(
        ["explain", "--config", config, "--u", "640", "--v", "493", "--json"])
      let event = try #require(try ProgramEvent.all(explained.output).first, "\(explained)")
      #expect(event.zone == "3-2" || event.zone == "3-1")
      let sky = try await setup.run(["explain", "--config", config, "--u", "640", "--v", "0"])
      #expect(sky.code == 65 && sky.errors.contains("not on the ground"), "\(sky)")
    }
  }

  @Test(.mockOnly("it needs no machine"))
  func whatCanNotBeUsedIsRefused() async throws {
    try await CommandLineSetup.with { setup in
      let unconfirmed = SampleCalibration.picture + SampleCalibration.points
      let file = try setup.write(unconfirmed, to: "court.yaml")
      let check = try await setup.run(["check-calibration", file])
      #expect(check.code == 65, "\(check)")
      #expect(check.errors == "ballmachine check-calibration: not confirmed: it is not used\n")
      #expect(check.lines.last == "  confirmed: \"\(SampleCalibration.sentence)\"")
      let config = try setup.write("court: {calibration: court.yaml}\n", to: "config.yaml")
      #expect(try await setup.run(["check-config", config]).code == 78)
      #expect(try await setup.run(["check-calibration", setup.path("nothing")]).code == 66)
      let wrong = try setup.write(
        unconfirmed.replacingOccurrences(of: "[827.3, 302.4]", with: "[727.3, 302.4]"),
        to: "wrong.yaml"
      )
      let refused = try await setup.run(["check-calibration", wrong])
      #expect(refused.code == 65 && refused.output.contains("net-right is probably wrong"))
      let none = try await setup.run(["explain", "--u", "1", "--v", "1", "--config", "/dev/null"])
      #expect(none.code == 78 && none.errors.contains("court.calibration"), "\(none)")
    }
  }

  /// Picture points decide balls, and the points of another calibration wait until none can fly.
  @Test func aFeederOfPicturePointsPlays() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      _ = try setup.write(SampleCalibration.file, to: "court.yaml")
      let config = try setup.write(
        "court: {calibration: court.yaml}\nsafety: {countdown: 0}\n",
        to: "config.yaml"
      )
      var serve = try setup.start(
        ["serve", "--json", "--bus", setup.address, "--config", config])
      _ = try await serve.next("link", state: "ready")
      let feeder = try SocketFeeder(setup.path("positions.sock"))
      // On the service line, at the left sideline.
      let digest = try CalibrationFile(path: setup.path("court.yaml")).calibration.digest
      await feeder.write("{\"size\": [640, 360], \"calibration\": \"\(digest)\"}\n")
      let feeding = Ticker { _ in
        feeder.writeNow("{\"u\": 190, \"v\": 183}\n")
      }
      let arm = try await setup.run(["arm"])
      #expect(arm.code == 0, "\(arm)")
      #expect(try await serve.next("dispatch").zone == "2-0")
      let shifted = SampleCalibration.file.replacingOccurrences(of: "195.8", with: "195.9")
      _ = try setup.write(shifted, to: "court.yaml")
      let refused = try await setup.run(["reload"])
      #expect(refused.code == 75 && refused.errors.contains("pause or disarm first"), "\(refused)")
      #expect(try await setup.run(["pause"]).code == 0)
      let taken = try await setup.run(["reload"])
      #expect(taken.output == "configuration read: now in force: court.calibration\n")
      // What the feeder found with the old one is none of its points.
      while try await !setup.run(["status"]).output.contains("another calibration") {}
      feeding.cancel()
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  /// The camera's program and the bridge would have different ones.
  @Test(.mockOnly("it needs no machine"))
  func aCalibrationThatIsNotReloadedIsAnError() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      let file = try setup.write(SampleCalibration.file, to: "court.yaml")
      let config = try setup.write("court: {calibration: court.yaml}\n", to: "config.yaml")
      var serve = try setup.start(
        ["serve", "--json", "--bus", setup.address, "--config", config])
      _ = try await serve.next("link", state: "ready")
      let points = try CalibrationFile(path: file).calibration.marks.flatMap { mark, place in
        ["--point", "\(mark.rawValue)=\(place.u),\(place.v)"]
      }
      let calibrate =
        ["camera", "calibrate", "--calibration", file, "--size", "1280x720", "--confirm"]
        + [SampleCalibration.sentence] + points
      #expect(try await setup.run(calibrate).code == 0)
      _ = try setup.write("court: {calibration: [}\n", to: "config.yaml")
      let failed = try await setup.run(calibrate)
      #expect(failed.code == 75 && failed.errors.contains("has not reloaded"), "\(failed)")
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  /// Where there is a calibration, a camera is expected.
  @Test(.mockOnly("it needs no machine"))
  func theDoctorLooksAtTheCameraToo() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      _ = try setup.write(SampleCalibration.file, to: "court.yaml")
      let bus = "machine: {bus: \"\(setup.address)\"}\n"
      let config = try setup.write(bus + "court: {calibration: court.yaml}\n", to: "config.yaml")
      let with = try await setup.run(["doctor", "--json", "--config", config])
      #expect(with.output.contains("\"code\":\"calibration.valid\""), "\(with)")
      #expect(with.output.contains(SampleCalibration.sentence), "\(with)")
      // It was not compared with a picture.
      #expect(with.output.contains("\"code\":\"calibration.unchecked\""), "\(with)")
      let none = try setup.write(bus, to: "none.yaml")
      let without = try await setup.run(["doctor", "--json", "--config", none])
      #expect(!without.output.contains("calibration"), "\(without)")
      _ = try await mock.terminate()
    }
  }
}
