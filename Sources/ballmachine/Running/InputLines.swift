import Dispatch

/// Standard input, line by line, while the rest of the program goes on.
enum InputLines {
  /// Ends with the input. Reading blocks a thread that is made for it.
  static var standardInput: AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    DispatchQueue(label: "standard input").async {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    return lines
  }
}
