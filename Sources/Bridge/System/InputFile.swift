import Glibc

/// Files that are read from their beginning to their end.
package enum InputFile {
  private static let chunk = 65_536

  /// Reads a file piece by piece.
  ///
  /// - Parameter take: returns false when it has seen enough.
  static func read(
    _ path: String,
    take: (UnsafeRawBufferPointer.SubSequence) -> Bool
  ) throws(SystemError) {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open \(path)") }
    let file = FileDescriptor(owning: number)
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = Glibc.read(file.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read \(path)") }
      if count == 0 { return }
      guard buffer.withUnsafeBytes({ take($0.prefix(count)) }) else { return }
    }
  }

  /// Reads a small file at once.
  ///
  /// - Returns: nil when it has more than `longest` bytes.
  package static func bytes(_ path: String, longest: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    try read(path) {
      bytes += $0
      return bytes.count <= longest
    }
    return bytes.count <= longest ? bytes : nil
  }
}
