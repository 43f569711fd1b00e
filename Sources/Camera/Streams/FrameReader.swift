import Glibc
import Host

/// Reads a file's frames one after the other. It waits for them.
struct FrameReader {
  /// How the file's bytes make frames.
  enum Form {
    /// Frames of this layout, without anything between them.
    case frames(FrameLayout)
    /// As the first bytes say.
    case stream
    /// This command reads it, and writes a stream.
    case film(through: [String])
  }

  private enum Input {
    case file(FileDescriptor)
    case program(FrameProgram)
  }

  private let path: String
  private let form: Form
  private var input: Input
  private var parser = StreamParser()
  private var isAtEnd = false
  /// How often the file will be read once more.
  private var again: Int
  private var cutOff = 0

  /// How many frames were left out: cut off by the file's end, or damaged.
  var damaged: Int { cutOff + parser.damaged }

  private static let chunk = 65_536

  /// - Parameter path: `-` for standard input.
  init(_ path: String, _ form: Form, times: Int = 1) throws(CameraProblem) {
    self.path = path
    self.form = form
    again = times - 1
    do throws(SystemError) { input = .file(try Self.open(path)) } catch {
      throw CameraProblem(.badFile, path, error.description)
    }
    if case .film(let command) = form { input = .program(try FrameProgram(command)) }
  }

  private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    guard path != "-" else {
      let number = dup(STDIN_FILENO)
      guard number >= 0 else { throw SystemError("read standard input") }
      return FileDescriptor(owning: number)
    }
    // Non-blocking, because opening a FIFO would otherwise wait for its writer.
    let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw SystemError("open it") }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError("open it") }
    guard status.isRegularFile else {
      throw SystemError("read it", code: EINVAL, reason: "it is no regular file")
    }
    return file
  }

  /// - Returns: nil at the end.
  mutating func next() throws(CameraProblem) -> StreamPicture? {
    let frame = try nextOfThisTime()
    guard frame == nil, again > 0 else { return frame }
    again -= 1
    isAtEnd = false
    cutOff += parser.damaged
    parser = StreamParser()
    switch (input, form) {
    case (.program, .film(let command)): input = .program(try FrameProgram(command))
    case (.program, _): break
    case (.file(let file), _):
      guard lseek(file.number, 0, SEEK_SET) == 0 else {
        throw CameraProblem(.badFile, path, SystemError("read it").description)
      }
    }
    return try nextOfThisTime()
  }

  private mutating func nextOfThisTime() throws(CameraProblem) -> StreamPicture? {
    guard case .frames(let layout) = form else { return try nextPicture() }
    let frame = try read(layout.leastBytes)
    if !frame.isEmpty, frame.count < layout.leastBytes { cutOff += 1 }
    return frame.count == layout.leastBytes ? StreamPicture(bytes: frame, layout: layout) : nil
  }

  private mutating func nextPicture() throws(CameraProblem) -> StreamPicture? {
    while !isAtEnd {
      if let picture = parser.next() { return picture }
      if let problem = parser.problem { throw CameraProblem(.badFile, path, problem) }
      let bytes = try read(Self.chunk)
      isAtEnd = bytes.isEmpty
      parser.add(bytes)
    }
    // The header of the rest may be whole and say what is wrong with it.
    if let rest = parser.next() ?? parser.rest() { return rest }
    if let problem = parser.problem { throw CameraProblem(.badFile, path, problem) }
    guard case .program(let program) = input, let status = program.endStatus(), status != 0 else {
      return nil
    }
    program.readErrors()
    throw CameraProblem(
      .badFile,
      path,
      "\(program.name) can't read it: \(program.complaints.last ?? "status \(status)")"
    )
  }

  /// - Returns: fewer than `count` bytes only at the end, or of a program.
  private func read(_ count: Int) throws(CameraProblem) -> [UInt8] {
    let file =
      switch input {
      case .file(let file): file
      case .program(let program): try waitForOutput(of: program)
      }
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      while filled < count {
        let new = Glibc.read(file.number, bytes.baseAddress! + filled, count - filled)
        if new < 0, errno == EINTR { continue }
        if new < 0 { failure = SystemError("read it") }
        guard new > 0 else { return }
        filled += new
        if case .program = input { return }
      }
    }
    if let failure { throw CameraProblem(.badFile, path, failure.description) }
    return bytes
  }

  /// Reads the program's errors meanwhile: it would wait for ever once their pipe is full.
  private func waitForOutput(of program: FrameProgram) throws(CameraProblem) -> FileDescriptor {
    var errors = program.errors.number
    while true {
      var files = [
        pollfd(fd: program.output.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&files, 2, -1) > 0 else { continue }
      if files[1].revents != 0, !program.readErrors() { errors = -1 }
      if files[0].revents != 0 { return program.output }
    }
  }
}
