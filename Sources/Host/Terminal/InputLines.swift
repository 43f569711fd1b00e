/// Standard input, line by line, while the rest of the program goes on.
package enum InputLines {
  /// Ends with the input. Reading blocks a thread of its own.
  package static var standardInput: AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let status = startThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    if status != 0 { continuation.finish() }
    return lines
  }
}
