import Foundation
import TestSupport
import Testing

/// A socket where no `dbus-daemon` listens, for buses that misbehave.
final class FakeListener: Sendable {
  let address: String
  private let folder: TemporaryDirectory
  private let socket: Int32

  init() throws {
    folder = try TemporaryDirectory()
    let path = folder("bus")
    address = "unix:path=\(path)"
    socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(socket, 1) == 0)
  }

  deinit { close(socket) }

  func acceptAndClose() async throws {
    try await serve { _ in }
  }

  /// Says nothing to a client, until it has gone.
  func acceptSilently(onFirstLine heard: @escaping @Sendable () -> Void) async throws {
    try await serve { client in
      if client.readLine() != nil { heard() }
      while client.readLine() != nil {}
    }
  }

  /// Lets a client in as `:1.9`, refuses it descriptors and leaves.
  func greetWithoutDescriptors() async throws {
    try await serve { client in
      while let line = client.readLine(), line != "BEGIN" {
        client.write(Array((line.contains("AUTH") ? "OK \(guid)\r\n" : "ERROR\r\n").utf8))
      }
      client.write(FakeListener.greeting)
      // Until the client has gone.
      while client.readLine() != nil {}
    }
  }

  /// The method return of Hello, little-endian. Source: D-Bus specification, "Message Format".
  private static let greeting: [UInt8] =
    {
      let parts: [[UInt8]] = [
        [UInt8(ascii: "l"), 2, 1, 1, 9, 0, 0, 0, 1, 0, 0, 0, 47, 0, 0, 0],
        [5, 1, UInt8(ascii: "u"), 0, 1, 0, 0, 0],
        [7, 1, UInt8(ascii: "s"), 0, 20, 0, 0, 0], Array("org.freedesktop.DBus\0".utf8),
        [0, 0, 0],
        [8, 1, UInt8(ascii: "g"), 0, 1, UInt8(ascii: "s"), 0],
        [0],
      ]
      return parts.flatMap(\.self)
    }()
    + [4, 0, 0, 0] + Array(":1.9\0".utf8)

  private func serve(_ body: @escaping @Sendable (FakeClient) -> Void) async throws {
    let accepted = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [socket] in
        let descriptor = accept(socket, nil, nil)
        if descriptor >= 0 { body(FakeClient(descriptor)) }
        close(descriptor)
        continuation.resume(returning: descriptor >= 0)
      }
    }
    try #require(accepted)
  }
}

private let guid = String(repeating: "0123456789abcdef", count: 2)

private struct FakeClient {
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  func write(_ bytes: [UInt8]) {
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// nil at the end.
  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") {
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      }
      line.append(byte)
    }
    return nil
  }
}
