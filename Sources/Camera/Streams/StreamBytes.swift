/// The bytes of a stream that are not used yet.
struct StreamBytes {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  mutating func add(_ more: some Collection<UInt8>) {
    bytes.removeSubrange(..<start)
    start = 0
    bytes += more
  }

  /// - Parameter count: no more than there are.
  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { start += count }
    return bytes[start..<start + count]
  }

  /// The next line without its end.
  ///
  /// - Returns: nil until its end is there.
  mutating func line() -> ArraySlice<UInt8>? {
    guard let end = bytes[start...].firstIndex(of: 0x0A) else { return nil }
    let line = bytes[start..<end]
    start = end + 1
    return line.last == 0x0D ? line.dropLast() : line
  }

  mutating func all() -> ArraySlice<UInt8> { take(count) }
}
