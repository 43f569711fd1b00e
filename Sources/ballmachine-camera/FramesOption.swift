import Camera
import Clocks
import CourtMapping
import Glibc
import Host
import Programs

/// What `--from-file` names, and how it is read.
struct FramesOption: Sendable {
  let path: String
  /// The size of frames in YUYV; nil: the first bytes say what it is.
  var raw: PictureSize?
  var isFast = false
  var times: Int?
  var rate: Int

  /// Whether frames come when they like: from standard input or a FIFO, and nobody said --fast. Its
  /// writer notices when it is closed.
  var isLive: Bool {
    guard raw == nil, !isFast else { return false }
    var status = stat()
    let code = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
    return code == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// - Parameter clock: stamps the frames.
  func open(_ clock: SystemClock) throws(CameraProblem) -> any FrameSource {
    if isLive {
      return try FrameStream(name, input: try pipe(), rate: Double(rate), clock: clock)
    }
    var content = FrameFile.Content.mjpeg
    if let raw { content = .yuyv(raw) } else if path != "-" { content = try .of(path, rate: rate) }
    return try FrameFile(
      path,
      content,
      rate: Double(rate),
      isPaced: !isFast,
      times: times ?? 1,
      clock: clock
    )
  }

  /// Whether a file has frames. Standard input can be read only once.
  func check(_ clock: SystemClock) throws(CameraProblem) {
    if path != "-" { _ = try open(clock) }
  }

  private var name: String { path == "-" ? "standard input" : path }

  private func pipe() throws(CameraProblem) -> FileDescriptor {
    // A FIFO with a writer of its own has no end: another writer may come. What a shell passes in
    // /dev has no second one.
    let mode = path.hasPrefix("/dev/") ? O_RDONLY : O_RDWR
    let number =
      path == "-" ? dup(STDIN_FILENO) : Glibc.open(path, mode | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else {
      throw CameraProblem(.badFile, name, SystemError("open it").description)
    }
    return FileDescriptor(owning: number)
  }
}
