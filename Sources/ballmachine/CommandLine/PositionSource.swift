/// Where `serve` reads positions.
enum PositionSource: Equatable {
  case standardInput
  /// A file or a named pipe.
  case file(String)
  /// A Unix socket that we open at this path, for any number of feeders.
  case socket(String)
}

extension ValueKind where Value == PositionSource {
  static var positions: ValueKind {
    ValueKind("SOURCE") { (text) throws(UsageError) in
      guard text != "-" else { return .standardInput }
      let path = text.hasPrefix("unix:") ? String(text.dropFirst("unix:".count)) : text
      guard !path.isEmpty else { throw UsageError("names no path") }
      return text.hasPrefix("unix:") ? .socket(path) : .file(path)
    }
  }
}
