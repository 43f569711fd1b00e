import Camera
import Clocks
import CourtMapping
import Glibc
import Host
import Programs

/// What `--from-file` names, and how it is read.
struct FramesOption: Sendable {
  let path: String
  /// How frames without a header are encoded; nil: the first bytes say what it is.
  var raw: RawFrames?
  var isFast = false
  var times: Int?
  var rate: Int

  /// Whether frames are taken as they arrive: they come from standard input or a FIFO, without --fast. The
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
    if let raw {
      content = .raw(raw.format, raw.size)
    } else if path != "-" {
      content = try .of(path, rate: rate)
    }
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

/// How a file's frames are encoded that have no header.
struct RawFrames: Sendable {
  var format: PixelFormat
  var size: PictureSize
}

extension ValueKind where Value == RawFrames {
  static var rawFrames: ValueKind {
    ValueKind("[FORMAT:]WIDTHxHEIGHT") { (text) throws(UsageError) in
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      let size = try ValueKind<PictureSize>.pictureSize.parse(parts.last ?? "")
      guard parts.count == 2 else { return RawFrames(format: .yuyv, size: size) }
      let formats: [PixelFormat] = [.yuyv, .uyvy, .nv12, .yu12]
      guard let format = formats.first(where: { $0.description == parts[0] }) else {
        throw UsageError("there is no format \(parts[0]); there are YUYV, UYVY, NV12 and YU12")
      }
      return RawFrames(format: format, size: size)
    }
  }
}
