/// Where live positions come from.
package enum PositionSource: Hashable, Sendable {
  case standardInput
  /// A FIFO, a device or a regular file.
  case file(String)
  /// A Unix socket that we listen on, for several feeders at once.
  case socket(String)

  /// Reads the option's forms: `-`, `unix:PATH`, `PATH`.
  package init(option: String) {
    if option == "-" {
      self = .standardInput
    } else if option.hasPrefix("unix:") {
      self = .socket(String(option.dropFirst("unix:".count)))
    } else {
      self = .file(option)
    }
  }
}

extension PositionSource: CustomStringConvertible {
  package var description: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let path): path
    case .socket(let path): "unix:\(path)"
    }
  }
}
