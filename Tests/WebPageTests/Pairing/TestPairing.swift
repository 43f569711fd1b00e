import Clocks
import ControlProtocol
import Foundation
import Host
import TestSupport

@testable import WebPage

/// A pairing in a folder of its own, at a time that a test sets.
struct TestPairing {
  let folder: TemporaryDirectory
  let time = Locked(
    PairingTime(wall: WallTime(secondsSince1970: 1_800_000_000), monotonic: .start)
  )
  let complaints = Locked<[String]>([])

  init() throws { folder = try TemporaryDirectory() }

  var path: String { folder("phones.json") }

  func file() throws -> StateFile {
    let path = folder.path
    return PairedPhones.file(in: try StateDirectory(variable: { _ in path }))
  }

  /// A page whose stops are confirmed, with its other sockets in the folder.
  ///
  /// - Parameter camera: takes phones' pictures.
  func page(_ phones: Pairing, phoneCamera camera: PhoneCamera) throws -> PageService {
    let directory = try RuntimeDirectory(at: folder.path)
    return PageService(
      .test,
      gate: RequestGate(hostname: "court", names: []),
      pairing: phones,
      bridge: BridgeAccess { directory },
      sessions: SessionReports(program: "/bin/false"),
      camera: CameraAccess(path: folder("camera.sock")),
      phoneCamera: camera,
      stops: StopLine { StopRecord(outcome: "confirmed", reason: "") }
    )
  }

  /// As it is after a start. The folder stays until the last write is done.
  ///
  /// - Parameter marks: of the box.
  func start(on marks: String...) throws -> Pairing {
    let marks = BoxMarks(lines: marks.map { $0[...] })
    return Pairing(file: try file(), marks: marks, now: { [time] in time.withLock(\.self) }) {
      [complaints, folder] text in
      withExtendedLifetime(folder) { complaints.withLock { $0.append(text) } }
    }
  }

  func pass(_ seconds: Double) {
    time.withLock { time in
      time.wall = time.wall.advanced(by: .seconds(seconds))
      time.monotonic = time.monotonic.advanced(by: .seconds(seconds))
    }
  }

  func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}

extension ClientAddress {
  /// An IPv4 address that differs by this.
  init(host: UInt8) { self.init(bytes: [192, 168, 1, host]) }
}

extension Pairing {
  /// From one address.
  func pair(_ code: String, name: String) throws(PairingRefusal) -> NewPhone {
    try pair(code, name: name, from: ClientAddress(host: 1))
  }
}
