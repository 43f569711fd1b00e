import Clocks
import Glibc
import Host
import JSON

/// Sends picture points to the bridge's socket of positions.
///
/// Nothing waits: a point that the bridge does not take at once is dropped, because it would be old.
struct PictureFeeder {
  /// How long it waits after a failure before it connects again.
  private static let pause = Duration.seconds(1)

  private let path: String
  private var connection: FileDescriptor?
  private var nextTry = MonotonicInstant.start
  /// Why nothing is sent; nil while it works.
  private(set) var problem: String?
  private(set) var sent = 0

  init(path: String) {
    self.path = path
  }

  mutating func send(_ foot: FootPoint, at now: MonotonicInstant) {
    if connection == nil { connect(at: now, foot.picture) }
    if write(foot, at: now) { sent += 1 }
  }

  private mutating func connect(at now: MonotonicInstant, _ picture: SizeLine) {
    guard now >= nextTry else { return }
    do {
      connection = try UnixSocketAddress(path: path).connected()
      problem = nil
      _ = write(picture, at: now)
    } catch {
      fail("\(error)", at: now)
    }
  }

  private mutating func write(_ line: some Encodable, at now: MonotonicInstant) -> Bool {
    guard let connection, var bytes = try? JSONEncoding.line(line) else { return false }
    bytes.append(UInt8(ascii: "\n"))
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let count = Glibc.send(connection.number, bytes, bytes.count, flags)
    if count == bytes.count {
      problem = nil
      return true
    }
    if count < 0, errno == EAGAIN || errno == EINTR {
      problem = "the bridge takes no positions"
      return false
    }
    // A part of a line would spoil the next one.
    let reason = count < 0 ? String(cString: strerror(errno)) : "a line was cut"
    fail("the bridge has closed \(path): \(reason)", at: now)
    return false
  }

  private mutating func fail(_ reason: String, at now: MonotonicInstant) {
    connection = nil
    problem = reason
    nextTry = now.advanced(by: Self.pause)
  }
}
