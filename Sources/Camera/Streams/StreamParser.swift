/// Cuts a stream of bytes into pictures, in bounded memory: JPEGs one behind the other, JPEGs as parts
/// of a multipart stream, or Y4M. The first bytes say which.
struct StreamParser {
  private enum State {
    /// The first bytes, as long as they don't say what it is.
    case beginning([UInt8])
    case pictures(JPEGSplitter)
    case parts(MultipartParser)
    case raw(Y4MParser)
    case unreadable
  }

  private var state = State.beginning([])
  /// Pictures that were left out because something of them was missing.
  private(set) var damaged = 0
  /// Why no picture will ever come; nil while one may.
  private(set) var problem: String?

  mutating func add(_ more: some Collection<UInt8>) {
    switch state {
    case .beginning(let first):
      // Line ends stand in front of a first boundary.
      let start = Array((first + more).drop { $0 == 0x0D || $0 == 0x0A })
      state = .beginning(start)
      if start.count >= StreamKind.enough { begin(start) }
    case .pictures(var parser):
      // Only one of them has the bytes, or they would be copied.
      state = .unreadable
      parser.add(more)
      state = .pictures(parser)
    case .parts(var parser):
      state = .unreadable
      parser.add(more)
      state = .parts(parser)
    case .raw(var parser):
      state = .unreadable
      parser.add(more)
      state = .raw(parser)
    case .unreadable:
      break
    }
  }

  private mutating func begin(_ start: [UInt8]) {
    switch StreamKind(start) {
    case .pictures: state = .pictures(JPEGSplitter())
    case .parts: state = .parts(MultipartParser())
    case .raw: state = .raw(Y4MParser())
    case .film(let name):
      state = .unreadable
      problem = "it is \(name), not MJPEG or Y4M"
    }
    add(start)
  }

  /// - Returns: nil until more bytes are there.
  mutating func next() -> StreamPicture? {
    switch state {
    case .beginning, .unreadable:
      return nil
    case .pictures(var parser):
      state = .unreadable
      defer { state = .pictures(parser) }
      return parser.next().map { StreamPicture(bytes: Array($0), layout: nil) }
    case .parts(var parser):
      state = .unreadable
      let picture = parser.next()
      damaged += parser.takeDamaged()
      state = parser.lacksLengths ? .pictures(parser.splitter()) : .parts(parser)
      return picture ?? (parser.lacksLengths ? next() : nil)
    case .raw(var parser):
      state = .unreadable
      let picture = parser.next()
      damaged += parser.takeDamaged()
      problem = parser.problem
      state = .raw(parser)
      return picture
    }
  }

  /// What is left when the stream ends, once ``next()`` has nothing more: a picture without an end, or
  /// nothing.
  mutating func rest() -> StreamPicture? {
    if case .beginning(let start) = state, !start.isEmpty {
      begin(start)
      if let picture = next() { return picture }
    }
    switch state {
    case .beginning, .unreadable:
      return nil
    case .pictures(var parser):
      defer { state = .pictures(parser) }
      return parser.rest().map { rest in
        damaged += 1
        return StreamPicture(bytes: Array(rest), layout: nil)
      }
    case .parts(let parser):
      if parser.isInPicture { damaged += 1 }
    case .raw(let parser):
      if parser.isInPicture { damaged += 1 }
    }
    state = .unreadable
    return nil
  }
}
