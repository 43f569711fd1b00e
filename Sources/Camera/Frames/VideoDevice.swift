import CVideo
import Clocks
import CourtMapping
import Glibc
import Host

/// A device of Video4Linux: its calls with Swift's values. Never waits.
///
/// Ask for its ``identity()`` first: that finds out which of the kernel's two interfaces it has, the one
/// for frames in one piece of memory or that for several.
///
/// Source: the kernel's “Linux Media Userspace API”, part I, chapters 1 and 3.
final class VideoDevice {
  /// A frame that the driver has filled.
  struct Filled {
    var buffer: Int
    /// Where the frame is in the buffer's first piece of memory, as the driver claims.
    var bytes: Range<Int>
    /// The same in the others.
    var others: [Range<Int>]
    /// nil if it isn't marked as `CLOCK_MONOTONIC`.
    var stamp: MonotonicInstant?
    var sequence: UInt32
    var isDamaged: Bool
  }

  /// What the driver chose for a wish.
  struct Chosen {
    var pixelFormat: PixelFormat
    var width: Int
    var height: Int
    /// A number for each piece of memory that a frame has.
    var bytesPerRow: [Int]
  }

  let descriptor: FileDescriptor

  private var capture = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  private var hasPlanes: Bool { capture == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue }
  /// What calls say of a buffer's pieces of memory.
  private let planes = UnsafeMutableBufferPointer<v4l2_plane>.allocate(
    capacity: Int(VIDEO_MAX_PLANES)
  )
  private static let mostPlanes = 3
  /// No driver has as many entries in a list: one without an end is faulty.
  private static let longestList: UInt32 = 128

  init(_ path: String) throws(SystemError) {
    let number = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open it") }
    descriptor = FileDescriptor(owning: number)
    planes.initialize(repeating: v4l2_plane())
  }

  deinit { planes.deallocate() }

  func identity() throws(SystemError) -> VideoIdentity {
    var answer = v4l2_capability()
    try call("ask what it is", video_query_capabilities, &answer)
    let isOfNode = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let can = isOfNode ? answer.device_caps : answer.capabilities
    let needs = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
    let needsWithPlanes = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING)
    // One that takes pictures, too, is no camera, but converts them.
    let converts = can & UInt32(V4L2_CAP_VIDEO_OUTPUT_MPLANE | V4L2_CAP_VIDEO_M2M_MPLANE) != 0
    let capturesPlanes = can & needs != needs && can & needsWithPlanes == needsWithPlanes
    if capturesPlanes { capture = V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue }
    return VideoIdentity(
      name: text(answer.card),
      driver: text(answer.driver),
      captures: can & needs == needs || capturesPlanes && !converts,
      isOfPipeline: can & UInt32(V4L2_CAP_IO_MC) != 0
    )
  }

  // MARK: What it offers

  func formats() -> [PixelFormat] {
    list { index in
      var entry = v4l2_fmtdesc()
      entry.index = index
      entry.type = capture
      guard succeeds(video_enumerate_formats, &entry) else { return nil }
      return PixelFormat(code: entry.pixelformat)
    }
  }

  /// - Returns: the sizes, or those of `common` that lie in a range which the device offers.
  func sizes(of format: PixelFormat, common: [PictureSize]) -> [PictureSize] {
    let entries: [[PictureSize]] = list { index in
      var entry = v4l2_frmsizeenum()
      entry.index = index
      entry.pixel_format = format.code
      guard succeeds(video_enumerate_sizes, &entry) else { return nil }
      guard entry.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
        let one = entry.discrete
        return PictureSize(width: Int(one.width), height: Int(one.height)).map { [$0] } ?? []
      }
      let range = entry.stepwise
      return common.filter {
        fits($0.width, range.min_width, range.max_width, range.step_width)
          && fits($0.height, range.min_height, range.max_height, range.step_height)
      }
    }
    return entries.flatMap { $0 }
  }

  /// Frames a second, the highest first; empty if the device doesn't say.
  func rates(of format: PixelFormat, _ size: PictureSize) -> [Double] {
    let intervals: [v4l2_fract] = list { index in
      var entry = v4l2_frmivalenum()
      entry.index = index
      entry.pixel_format = format.code
      entry.width = UInt32(size.width)
      entry.height = UInt32(size.height)
      guard succeeds(video_enumerate_intervals, &entry) else { return nil }
      let isOne = entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      // A range gives its shortest interval, which is the highest rate.
      return isOne ? entry.discrete : entry.stepwise.min
    }
    return intervals.compactMap(rate(ofInterval:)).sorted(by: >)
  }

  // MARK: Streaming

  func setFormat(_ format: PixelFormat, _ size: PictureSize) throws(SystemError) -> Chosen {
    var wish = video_picture()
    wish.width = UInt32(size.width)
    wish.height = UInt32(size.height)
    wish.pixel_format = format.code
    let type = capture
    try call(
      "set \(size.width) × \(size.height) \(format)",
      { video_set_picture($0, type, $1) },
      &wish
    )
    let bytesPerRow = [wish.bytes_per_row.0, wish.bytes_per_row.1, wish.bytes_per_row.2]
    guard (1...Self.mostPlanes).contains(Int(wish.planes)) else {
      throw SystemError(
        "set \(format)",
        code: EINVAL,
        reason: "a frame has \(wish.planes) pieces of memory"
      )
    }
    return Chosen(
      pixelFormat: PixelFormat(code: wish.pixel_format),
      width: Int(wish.width),
      height: Int(wish.height),
      bytesPerRow: bytesPerRow.prefix(Int(wish.planes)).map(Int.init)
    )
  }

  /// The driver takes the nearest that it has, or has no choice.
  func setRate(_ wanted: Double) {
    var wish = v4l2_streamparm()
    wish.type = capture
    wish.parm.capture.timeperframe = v4l2_fract(
      numerator: 1000,
      denominator: UInt32(wanted * 1000)
    )
    _ = succeeds(video_set_parameters, &wish)
  }

  /// - Returns: how many there are, which the driver chooses.
  func requestBuffers(_ count: Int) throws(SystemError) -> Int {
    var request = v4l2_requestbuffers()
    request.count = UInt32(count)
    request.type = capture
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try call("get memory for frames", video_request_buffers, &request)
    return Int(request.count)
  }

  /// - Returns: where each piece of a buffer's memory is.
  func places(of buffer: Int) throws(SystemError) -> [(offset: Int, length: Int)] {
    var answer = named(buffer)
    try call("find its memory", video_query_buffer, &answer)
    guard hasPlanes else { return [(Int(answer.m.offset), Int(answer.length))] }
    let count = min(Int(answer.length), Self.mostPlanes)
    return planes.prefix(count).map { (Int($0.m.mem_offset), Int($0.length)) }
  }

  func queue(_ buffer: Int) throws(SystemError) {
    var given = named(buffer)
    try call("give it memory", video_queue_buffer, &given)
  }

  /// - Returns: nil when none is filled.
  func dequeue() throws(SystemError) -> Filled? {
    var taken = named(0)
    guard succeeds(video_dequeue_buffer, &taken) else {
      guard errno != EAGAIN else { return nil }
      throw SystemError("get a frame")
    }
    let clock = taken.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    let time = taken.timestamp
    let suspended = nanoseconds(on: CLOCK_BOOTTIME) - nanoseconds(on: CLOCK_MONOTONIC)
    let stamp = MonotonicInstant(
      sinceStart: .seconds(time.tv_sec) + .microseconds(Int64(time.tv_usec))
        + .nanoseconds(suspended)
    )
    let count = min(Int(taken.length), Self.mostPlanes)
    return Filled(
      buffer: Int(taken.index),
      bytes: hasPlanes ? planes[0].filled : 0..<Int(taken.bytesused),
      others: hasPlanes && count > 1 ? planes[1..<count].map(\.filled) : [],
      stamp: clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) ? stamp : nil,
      sequence: taken.sequence,
      isDamaged: taken.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
    )
  }

  func startStream() throws(SystemError) {
    var type = Int32(capture)
    try call("start the stream", video_start_stream, &type)
  }

  // MARK: Calls

  private typealias Request<Value> = (Int32, UnsafeMutablePointer<Value>) -> Int32

  private func succeeds<Value>(_ request: Request<Value>, _ value: inout Value) -> Bool {
    while request(descriptor.number, &value) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  private func call<Value>(
    _ attempt: String,
    _ request: Request<Value>,
    _ value: inout Value
  ) throws(SystemError) {
    guard succeeds(request, &value) else { throw SystemError(attempt) }
  }

  private func list<Entry>(_ entry: (UInt32) -> Entry?) -> [Entry] {
    Array((0..<Self.longestList).lazy.map(entry).prefix { $0 != nil }.compactMap { $0 })
  }

  private func named(_ buffer: Int) -> v4l2_buffer {
    var name = v4l2_buffer()
    name.type = capture
    name.memory = V4L2_MEMORY_MMAP.rawValue
    name.index = UInt32(buffer)
    if hasPlanes {
      planes.update(repeating: v4l2_plane())
      name.m.planes = planes.baseAddress
      name.length = UInt32(planes.count)
    }
    return name
  }
}

extension v4l2_plane {
  /// Some drivers put something of their own before the picture.
  fileprivate var filled: Range<Int> {
    Int(min(data_offset, bytesused))..<Int(bytesused)
  }
}

private func rate(ofInterval interval: v4l2_fract) -> Double? {
  guard interval.numerator > 0, interval.denominator > 0 else { return nil }
  return Double(interval.denominator) / Double(interval.numerator)
}

private func fits(_ side: Int, _ least: UInt32, _ most: UInt32, _ step: UInt32) -> Bool {
  (least...max(least, most)).contains(UInt32(side))
    && (UInt32(side) - least).isMultiple(of: max(step, 1))
}

/// A C array's characters up to its zero.
private func text<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
