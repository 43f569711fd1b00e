import Glibc

/// Standard input, line by line, while the rest of the program goes on.
package enum InputLines {
  /// Ends with the input. Reading blocks a thread of its own.
  package static var standardInput: AsyncStream<String> { lines(of: STDIN_FILENO) }

  /// The lines that can be read there. What is no UTF-8 has U+FFFD in its place.
  ///
  /// Not by way of C's `stdin`: the thread would hold its lock while it waits for a line, and as of glibc 2.41
  /// (Debian 13) `exit` waits for that.
  static func lines(of descriptor: Int32) -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let status = startThread {
      var splitter = LineSplitter(longest: .max)
      func output(_: Int, _ content: LineSplitter.Content) {
        switch content {
        case .line(let bytes), .unterminated(let bytes):
          continuation.yield(String(decoding: bytes, as: UTF8.self))
        case .tooLong, .rest: break
        }
      }
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          splitter.append(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), output)
        }
      }
      splitter.finish(output)
      continuation.finish()
    }
    if status != 0 { continuation.finish() }
    return lines
  }
}
