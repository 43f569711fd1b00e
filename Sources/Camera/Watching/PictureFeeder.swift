import Clocks
import CourtMapping
import Glibc
import Host

/// Sends picture points to the bridge's socket of positions.
///
/// Nothing waits: a point that the bridge does not take at once is dropped, because it would be old.
struct PictureFeeder {
  /// How long it waits after a failure before it connects again.
  private static let pause = Duration.seconds(1)

  private let path: String
  private let size: PictureSize
  private var connection: FileDescriptor?
  private var nextTry = MonotonicInstant.start
  /// Why nothing is sent; nil while it works.
  private(set) var problem: String?
  private(set) var sent = 0

  /// - Parameter size: of the picture in which the points are.
  init(path: String, size: PictureSize) {
    self.path = path
    self.size = size
  }

  mutating func send(
    _ foot: PicturePoint,
    confidence: Double,
    taken: MonotonicInstant,
    at now: MonotonicInstant
  ) {
    if connection == nil { connect(at: now) }
    let seconds = MonotonicInstant.start.duration(to: taken) / .seconds(1)
    let line = """
      {"u": \(foot.u.tenths), "v": \(foot.v.tenths), "confidence": \(confidence.hundredths), \
      "t": \(seconds.thousandths)}

      """
    if write(line, at: now) { sent += 1 }
  }

  private mutating func connect(at now: MonotonicInstant) {
    guard now >= nextTry else { return }
    do {
      connection = try UnixSocketAddress(path: path).connected()
      problem = nil
      _ = write("{\"size\": [\(size.width), \(size.height)]}\n", at: now)
    } catch {
      fail("\(error)", at: now)
    }
  }

  private mutating func write(_ line: String, at now: MonotonicInstant) -> Bool {
    guard let connection else { return false }
    let bytes = Array(line.utf8)
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let count = Glibc.send(connection.number, bytes, bytes.count, flags)
    if count == bytes.count { return true }
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

extension Double {
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
  fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
  fileprivate var thousandths: Double { (self * 1000).rounded() / 1000 }
}
