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

/// Of the frames that are handed over.
let frameSize = PictureSize(width: 640, height: 360).unsafelyUnwrapped

/// A program that hands frames over, as the page does.
final class Supplier: Sendable {
  private let socket: FileDescriptor
  private let received = Locked<[UInt8]>([])

  init(_ path: String) throws { socket = try UnixSocketAddress(path: path).connected() }

  func send(_ text: String, _ bytes: [UInt8] = []) throws {
    // As a whole: a line that is too long may be answered before its end.
    try writeAll(Array((text + "\n").utf8) + bytes, to: socket.number)
  }

  func hello(_ id: String, _ kind: String = "phone") throws {
    try send(#"{"source":"\#(kind)","id":"\#(id)","name":"\#(id)'s phone"}"#)
  }

  func frame(_ picture: [UInt8], view: String = "back-90", age: Double = 0.02) throws {
    let header = #"{"bytes":\#(picture.count),"age":\#(age),"size":[640,360],"view":"\#(view)"}"#
    try send(header, picture)
  }

  /// - Returns: nil at the end.
  func line() async throws -> JSONValue? {
    try await WaitingThread.value { [socket, received] in
      while true {
        let line = received.withLock { bytes -> [UInt8]? in
          guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
          defer { bytes.removeFirst(end + 1) }
          return Array(bytes.prefix(end))
        }
        if let line { return try? JSONValue(text: line) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(socket.number, &buffer, buffer.count)
        guard count > 0 else { return nil }
        received.withLock { $0 += buffer.prefix(count) }
      }
    }
  }
}

extension CameraStatus {
  /// Whether the player is searched in the frames, and not found. A slow test may miss the learning, which
  /// comes first.
  var isLookedAt: Bool { ["learning", "no-player"].contains(sight.code) }
}

/// A camera to which frames are handed over, in a folder of its own.
struct HandedCamera {
  let folder: TemporaryDirectory
  private let scene = Scene(.dull, seed: 2, size: frameSize)

  init() throws { folder = try TemporaryDirectory() }

  func picture() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: frameSize.width * frameSize.height * 3)
    _ = Scene(.dull, seed: 2, size: frameSize).next(into: &bytes)
    return Array(try #require(JPEG.encode(bytes, width: frameSize.width, height: frameSize.height)))
  }

  func file(_ source: String) throws -> CalibrationFile {
    let marks = scene.camera.marks(in: frameSize, error: 0, seed: 3)
    let calibration = try CalibrationFile.calibration(marks: marks, size: frameSize)
    return CalibrationFile(calibration, source: source, confirmed: calibration.sentence)
  }

  /// What made the calibration in use.
  var used: String? { try? CalibrationFile(path: folder("court.yaml")).source }

  /// Runs a camera at sockets in the folder.
  ///
  /// - Parameter configured: what hands the configured camera over; nil: it is a film of this program's
  ///   own.
  func run(
    configured: FrameSupplier.Kind? = nil,
    _ body: (CameraClient) async throws -> Void
  ) async throws {
    let film = folder("film.mjpeg")
    try Data(try picture()).write(to: URL(fileURLWithPath: film))
    var settings = CameraSettings()
    settings.calibration = folder("court.yaml")
    settings.feed = folder("no.sock")
    let clock = SystemClock()
    let camera = CourtCamera(
      settings,
      clock: clock,
      open: { () throws(CameraProblem) in
        try FrameFile(film, .mjpeg, rate: 20, isPaced: true, times: .max, clock: clock)
      },
      report: { _ in }
    )
    try await camera.listen(at: folder("frames.sock"), configured: configured)
    let socket = try CameraSocket(path: folder("camera.sock"), camera: camera)
    let pictures = try PictureSocket(path: folder("picture.sock"), camera: camera)
    let answering = Task { await pictures.run() }
    defer { answering.cancel() }
    try await beside(camera, socket) {
      try await body(CameraClient(path: folder("camera.sock")))
    }
  }

  /// The status once it is as expected.
  @discardableResult
  func status(
    _ client: CameraClient,
    while body: () async throws -> Void = {},
    until isExpected: (CameraStatus) -> Bool
  ) async throws -> CameraStatus {
    while true {
      try await body()
      let status = try await client.status()
      if isExpected(status) { return status }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func sources(_ client: CameraClient, _ method: String) async throws -> [CameraSource] {
    let path = client.path
    return try await LineClient.talk(to: "the camera", path: path) {
      (client) throws(LineClientError) in
      method == "use" ? try client.ask(method, ["kind": "configured"]) : try client.ask(method)
    }
  }
}
