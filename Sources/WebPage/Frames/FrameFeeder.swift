import Glibc
import Host
import JSON

/// A connection to the camera's program for pictures, `frames.sock`.
///
/// Nothing waits and nothing queues: what the socket doesn't take at once keeps the next picture out.
final class FrameFeeder {
  /// The bytes that a line of the camera's program may have.
  private static let longestLine = 1024
  /// Lines may follow a picture that is on its way, in bounded memory.
  private static let mostWaiting = 2 * PhoneFrame.longest

  let descriptor: FileDescriptor
  private var splitter = LineSplitter(longest: longestLine)
  /// What the socket has not taken yet.
  private var rest: [UInt8] = []

  /// - Throws: if nothing listens there, or too many wait to connect.
  init(path: String) throws {
    let address = try UnixSocketAddress(path: path)
    descriptor = try UnixSocketAddress.socket()
    try descriptor.setNonBlocking()
    let number = descriptor.number
    guard address.withSocketAddress({ connect(number, $0, $1) }) == 0 else {
      throw SystemError("connect to \(path)")
    }
  }

  /// A value as a line.
  static func line(_ value: some Encodable) -> [UInt8] {
    ((try? JSONEncoding.line(value)) ?? []) + [UInt8(ascii: "\n")]
  }

  /// Whether a part of what was sent still waits.
  var isBehind: Bool { !rest.isEmpty }

  /// - Returns: whether it is on its way: a picture isn't while another one waits.
  func send(picture: [UInt8]) -> Bool {
    guard rest.isEmpty else { return false }
    rest = picture
    flush()
    return true
  }

  func send(line: [UInt8]) {
    guard rest.count + line.count <= Self.mostWaiting else { return }
    rest += line
    flush()
  }

  /// Sends what the socket takes. What is wrong with the socket is seen when it is read.
  func flush() {
    while !rest.isEmpty {
      let count = Glibc.send(
        descriptor.number,
        rest,
        rest.count,
        Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest.removeFirst(count)
    }
  }

  /// What the camera's program has said, and whether it has closed the connection.
  func receive() -> (lines: [JSONValue], isOver: Bool) {
    var lines: [JSONValue] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor.number, &buffer, buffer.count)
    guard count > 0 else { return ([], count == 0 || errno != EAGAIN && errno != EINTR) }
    var isStrange = false
    buffer.withUnsafeBytes { bytes in
      splitter.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(count))) { _, content in
        if case .line(let line) = content, let value = try? JSONValue(text: line) {
          lines.append(value)
        } else {
          isStrange = true
        }
      }
    }
    return (lines, isStrange)
  }
}
