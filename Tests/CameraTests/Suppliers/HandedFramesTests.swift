import Calibrations
import Clocks
import ControlProtocol
import CourtMapping
import Foundation
import Glibc
import Host
import JSON
import Scenes
import TestSupport
import Testing

@testable import Camera

/// Frames that other programs hand over, at the socket.
@Suite(.mustEnd) struct HandedFramesTests {
  private let court: HandedCamera

  init() throws { court = try HandedCamera() }

  @Test func aPhoneTakesTheConfiguredCamerasPlaceAndGivesItBack() async throws {
    try court.file("roof").write(to: court.folder("court.yaml"))
    let picture = try court.picture()
    try await court.run { client in
      try await court.status(client) { $0.cameras.first?.state == .frames && $0.frames.taken > 0 }
      let phone = try Supplier(court.folder("frames.sock"))
      try phone.hello("ben")
      #expect(try await phone.line()?["accepted"] == .boolean(true))
      let before = try await court.status(client) { $0.cameras.count == 2 }
      #expect(before.sight.code == "phone-silent" && before.device == nil && before.size == nil)
      #expect(before.cameras.map(\.isUsed) == [false, true])
      #expect(before.cameras.map(\.state) == [.rests, .silent])
      #expect(before.cameras[1].id == "ben" && before.cameras[1].last == nil)
      // It was never calibrated.
      let during = try await court.status(client, while: { try phone.frame(picture) }) {
        $0.sight.code == "no-calibration"
      }
      #expect(during.size == [640, 360] && during.cameras[1].state == .frames)
      #expect(during.sight.reason?.contains("has not been calibrated in this place") == true)
      #expect(during.calibration.camera == nil && court.used == "roof")
      // Its picture, and a calibration for it.
      async let still = client.still()
      try await court.status(client, while: { try phone.frame(picture) }) {
        $0.frames.taken > during.frames.taken + 5
      }
      #expect(try await still == picture)
      _ = try await client.calibrate(CalibrationRequest(court.file("ben")))
      #expect(court.used == "ben")
      try await court.status(client, while: { try phone.frame(picture) }) {
        $0.isLookedAt
      }
      // Turned, it is another place.
      try await court.status(client, while: { try phone.frame(picture, view: "back-0") }) {
        $0.sight.code == "no-calibration"
      }
      await #expect(throws: (any Error).self) {
        try await client.calibrate(CalibrationRequest(court.file("upside down")))
      }
      #expect(court.used == "ben")
      try phone.send(#"{"end":true}"#)
      #expect(try await phone.line()?["code"]?.string == "ended")
      #expect(try await phone.line() == nil)
      try await court.status(client) { $0.cameras.count == 1 && $0.cameras[0].state == .frames }
      try await court.status(client) { _ in court.used == "roof" }
      // Another time its calibration is there again.
      let again = try Supplier(court.folder("frames.sock"))
      try again.hello("ben")
      try await court.status(client, while: { try again.frame(picture) }) { _ in court.used == "ben"
      }
      #expect(try await court.sources(client, "sources").count == 2)
      let after = try await court.sources(client, "use")
      #expect(after.count == 1 && after[0].isUsed && after[0].kind == .device)
      _ = try await again.line()
      #expect(try await again.line()?["code"]?.string == "ended")
      try await court.status(client) { _ in court.used == "roof" }
    }
  }

  @Test func onlyItsOwnSupplierSuffersFromABadLine() async throws {
    let picture = try court.picture()
    try await court.run { client in
      let phone = try Supplier(court.folder("frames.sock"))
      try phone.hello("ben")
      #expect(try await phone.line()?["accepted"] == .boolean(true))
      let other = try Supplier(court.folder("frames.sock"))
      try other.hello("ann")
      let refusal = try await other.line()
      #expect(refusal?["accepted"] == .boolean(false) && refusal?["code"]?.string == "taken")
      #expect(refusal?["reason"]?.string == "ben's phone is the camera")
      #expect(try await other.line() == nil)
      for (text, reason) in [
        ("nothing", "a line is no JSON"), (#"{"end":true}"#, "its first line"),
        (String(repeating: "a", count: 2000), "a line is longer"),
      ] {
        let wrong = try Supplier(court.folder("frames.sock"))
        try wrong.send(text)
        let answer = try await wrong.line()
        #expect(answer?["code"]?.string == "bad-line", "\(text)")
        #expect(answer?["reason"]?.string?.hasPrefix(reason) == true, "\(text)")
        #expect(try await wrong.line() == nil)
      }
      let taken = try await client.status().frames.taken
      try await court.status(client, while: { try phone.frame(picture) }) {
        $0.frames.taken > taken && $0.cameras.last?.state == .frames
      }
      try phone.send("nothing")
      #expect(try await phone.line()?["code"]?.string == "bad-line")
      // Its silence is silence.
      let silent = try await court.status(client) { $0.sight.code == "phone-silent" }
      #expect(silent.cameras.map(\.state) == [.rests, .silent])
    }
  }

  @Test func lateFramesAreCountedAndGiveNothing() async throws {
    let picture = try court.picture()
    try await court.run { client in
      let phone = try Supplier(court.folder("frames.sock"))
      try phone.hello("ben")
      let late = try await court.status(client, while: { try phone.frame(picture, age: 2.5) }) {
        $0.frames.old > 3
      }
      #expect(late.sight.state == .noCamera && late.cameras.last?.last == nil)
      try phone.send(#"{"trouble":{"code":"hidden","reason":"the page is hidden"}}"#)
      try await court.status(client) { $0.sight.reason == "ben's phone: the page is hidden" }
    }
  }

  @Test func theServiceOfAnAddressIsTheConfiguredCamera() async throws {
    let picture = try court.picture()
    try court.file("roof").write(to: court.folder("court.yaml"))
    try await court.run(configured: .network) { client in
      let none = try await court.status(client) { $0.sight.code == "not-handed-over" }
      #expect(none.sight.reason?.contains("ballmachine-camera-network.service") == true)
      let service = try Supplier(court.folder("frames.sock"))
      try service.hello("roof", "network")
      #expect(try await service.line()?["accepted"] == .boolean(true))
      try await court.status(client, while: { try service.frame(picture, view: "fixed") }) {
        $0.isLookedAt && $0.cameras.count == 1
      }
      // A phone takes its place.
      let phone = try Supplier(court.folder("frames.sock"))
      try phone.hello("ben")
      #expect(try await phone.line()?["accepted"] == .boolean(true))
      #expect(try await service.line()?["code"]?.string == "resting")
      #expect(try await service.line() == nil)
      let module = try Supplier(court.folder("frames.sock"))
      try module.hello("csi", "module")
      #expect(try await module.line()?["code"]?.string == "not-configured")
    }
  }

  /// A supplier that connects again and again, or says nothing, keeps no other one out.
  @Test func manyConnectionsLeaveRoom() async throws {
    try await court.run { client in
      let phone = try Supplier(court.folder("frames.sock"))
      try phone.hello("ben")
      #expect(try await phone.line()?["accepted"] == .boolean(true))
      let silent = try (0..<20).map { _ in try Supplier(court.folder("frames.sock")) }
      let last = try Supplier(court.folder("frames.sock"))
      try last.hello("ann")
      #expect(try await last.line()?["code"]?.string == "taken")
      #expect(try await client.status().cameras.last?.id == "ben")
      #expect(try await silent[0].line() == nil)
    }
  }
}
