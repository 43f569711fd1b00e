import Clocks
import Foundation
import Host
import JSON
import TestSupport
import Testing

@testable import Camera

/// A service that reads a camera hands its frames over.
@Suite(.mustEnd) struct FrameHandoverTests {
  private let court: HandedCamera

  init() throws { court = try HandedCamera() }

  /// - Parameters:
  ///   - failure: why the camera can't be opened; nil: it is a film.
  ///   - said: gets what is reported.
  private func withHandover(
    failure: Locked<CameraProblem?> = Locked(nil),
    said: Locked<[String]>,
    _ body: () async throws -> Void
  ) async throws {
    let film = court.folder("roof.mjpeg")
    try Data(try court.picture()).write(to: URL(fileURLWithPath: film))
    let clock = SystemClock()
    let handover = FrameHandover(
      to: court.folder("frames.sock"),
      as: FrameSupplier(.network, id: "network", name: "the roof"),
      clock: clock,
      open: { () throws(CameraProblem) in
        if let failure = failure.withLock({ $0 }) { throw failure }
        return try FrameFile(film, .mjpeg, rate: 20, isPaced: true, times: .max, clock: clock)
      },
      report: { text in said.withLock { $0.append(text) } }
    )
    let running = Task.immediate { await handover.run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    await handover.end()
    await running.value
    try result.get()
  }

  @Test func itsCameraRestsForAPhone() async throws {
    let said = Locked<[String]>([])
    try await withHandover(said: said) {
      try await court.run(configured: .network) { client in
        try await court.status(client) { $0.cameras.first?.state == .frames }
        let phone = try Supplier(court.folder("frames.sock"))
        try phone.hello("ben")
        #expect(try await phone.line()?["accepted"] == .boolean(true))
        while said.withLock({ $0.last }) != "the camera is off: ben's phone is the camera" {
          try await Task.sleep(for: .milliseconds(20))
        }
        try phone.send(#"{"end":true}"#)
        let again = try await court.status(client) { $0.cameras.first?.state == .frames }
        #expect(again.cameras.map(\.name) == ["the first camera that captures"])
        #expect(again.size == [640, 360] && again.format == "MJPG")
      }
    }
    let last = said.withLock { $0.suffix(2).first }
    #expect(last == "frames are handed over", "\(said.withLock { $0 })")
  }

  @Test func whyThereAreNoFramesIsTold() async throws {
    let problem = CameraProblem(.wrongPassword, "rtsp://roof", "it wants another password")
    let (said, failure) = (Locked<[String]>([]), Locked<CameraProblem?>(problem))
    try await withHandover(failure: failure, said: said) {
      try await court.run(configured: .network) { client in
        let silent = try await court.status(client) { $0.sight.code == "wrong-password" }
        #expect(silent.sight.reason?.hasPrefix("the roof: rtsp://roof: it wants") == true)
        #expect(silent.cameras.map(\.state) == [.silent])
        failure.withLock { $0 = nil }
        try await court.status(client) { $0.cameras.first?.state == .frames }
      }
    }
    #expect(said.withLock { $0.contains("\(problem)") })
  }

  @Test func nothingWaitsButAFrameAndSomeLines() {
    var output = HandoverOutput()
    var written: [UInt8] = []
    let frame = [UInt8](0..<200)
    func offer() -> Bool { frame.withUnsafeBytes { output.offer([1], $0) } }
    #expect(output.isEmpty && offer() && !offer())
    // The socket takes some of it.
    var room = 50
    let write = { (bytes: UnsafeRawBufferPointer) -> Int in
      let count = min(bytes.count, room)
      written += bytes.prefix(count)
      room -= count
      return count == 0 ? -1 : count
    }
    output.flush(write)
    #expect(!output.isEmpty && !offer())
    output.offer([2, 3])
    room = .max
    output.flush(write)
    #expect(output.isEmpty && written == [1] + frame + [2, 3])
    written = []
    output.offer([4])
    output.flush(write)
    #expect(written == [4] && offer())
  }
}
