import Glibc
import Host

/// Reads a file's frames one after the other.
struct FrameReader {
  private let path: String
  private let file: FileDescriptor
  /// The length of a frame; nil for JPEGs, which have ends.
  private let length: Int?
  private var splitter = JPEGSplitter()
  private var isAtEnd = false
  /// How often the file will be read once more.
  private var again: Int
  /// How many frames the file's end cut off.
  private(set) var damaged = 0

  private static let chunk = 65_536

  init(_ path: String, length: Int?, times: Int = 1) throws(CameraProblem) {
    self.path = path
    again = times - 1
    self.length = length
    do throws(SystemError) {
      // Non-blocking, because opening a FIFO would otherwise wait for its writer.
      let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard number >= 0 else { throw SystemError("open it") }
      file = FileDescriptor(owning: number)
      var status = stat()
      guard fstat(number, &status) == 0 else { throw SystemError("open it") }
      guard status.isRegularFile else {
        throw SystemError("read it", code: EINVAL, reason: "it is no regular file")
      }
    } catch {
      throw CameraProblem(.badFile, path, error.description)
    }
  }

  /// - Returns: nil at the end.
  mutating func next() throws(CameraProblem) -> [UInt8]? {
    let frame = try nextOfThisTime()
    guard frame == nil, again > 0 else { return frame }
    again -= 1
    isAtEnd = false
    guard lseek(file.number, 0, SEEK_SET) == 0 else {
      throw CameraProblem(.badFile, path, SystemError("read it").description)
    }
    return try nextOfThisTime()
  }

  private mutating func nextOfThisTime() throws(CameraProblem) -> [UInt8]? {
    guard let length else { return try nextPicture() }
    let frame = try read(length)
    if !frame.isEmpty, frame.count < length { damaged += 1 }
    return frame.count == length ? frame : nil
  }

  private mutating func nextPicture() throws(CameraProblem) -> [UInt8]? {
    while !isAtEnd {
      if let picture = splitter.next() { return Array(picture) }
      let bytes = try read(Self.chunk)
      isAtEnd = bytes.isEmpty
      splitter.add(bytes)
    }
    guard let rest = splitter.rest() else { return nil }
    damaged += 1
    // The header of the rest may be whole and say what is wrong with it.
    return Array(rest)
  }

  /// - Returns: fewer than `count` bytes only at the end.
  private func read(_ count: Int) throws(CameraProblem) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      while filled < count {
        let new = Glibc.read(file.number, bytes.baseAddress! + filled, count - filled)
        if new < 0, errno == EINTR { continue }
        if new < 0 { failure = SystemError("read it") }
        guard new > 0 else { return }
        filled += new
      }
    }
    if let failure { throw CameraProblem(.badFile, path, failure.description) }
    return bytes
  }
}
