import CVideo
import Clocks
import CourtMapping
import Glibc
import Host

/// A device of Video4Linux: its calls with Swift's values. Never waits.
///
/// Source: the kernel's “Linux Media Userspace API”, part I, chapters 1 and 3.
final class VideoDevice {
  /// A frame that the driver has filled.
  struct Filled {
    var buffer: Int
    var byteCount: Int
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
    var bytesPerRow: Int
  }

  let descriptor: FileDescriptor

  private static let capture = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
  /// No driver has as many entries in a list: one without an end is faulty.
  private static let longestList: UInt32 = 128

  init(_ path: String) throws(SystemError) {
    let number = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open it") }
    descriptor = FileDescriptor(owning: number)
  }

  func identity() throws(SystemError) -> VideoIdentity {
    var answer = v4l2_capability()
    try call("ask what it is", video_query_capabilities, &answer)
    let isOfNode = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let can = isOfNode ? answer.device_caps : answer.capabilities
    let needs = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
    return VideoIdentity(
      name: text(answer.card),
      driver: text(answer.driver),
      captures: can & needs == needs,
      isOfPipeline: can & UInt32(V4L2_CAP_IO_MC) != 0
    )
  }

  // MARK: What it offers

  func formats() -> [PixelFormat] {
    list { index in
      var entry = v4l2_fmtdesc()
      entry.index = index
      entry.type = Self.capture
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
    var wish = v4l2_format()
    wish.type = Self.capture
    wish.fmt.pix.width = UInt32(size.width)
    wish.fmt.pix.height = UInt32(size.height)
    wish.fmt.pix.pixelformat = format.code
    wish.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    try call("set \(size.width) × \(size.height) \(format)", video_set_format, &wish)
    return Chosen(
      pixelFormat: PixelFormat(code: wish.fmt.pix.pixelformat),
      width: Int(wish.fmt.pix.width),
      height: Int(wish.fmt.pix.height),
      bytesPerRow: Int(wish.fmt.pix.bytesperline)
    )
  }

  /// The driver takes the nearest that it has, or has no choice.
  func setRate(_ wanted: Double) {
    var wish = v4l2_streamparm()
    wish.type = Self.capture
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
    request.type = Self.capture
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try call("get memory for frames", video_request_buffers, &request)
    return Int(request.count)
  }

  func place(of buffer: Int) throws(SystemError) -> (offset: Int, length: Int) {
    var answer = named(buffer)
    try call("find its memory", video_query_buffer, &answer)
    return (Int(answer.m.offset), Int(answer.length))
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
    return Filled(
      buffer: Int(taken.index),
      byteCount: Int(taken.bytesused),
      stamp: clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) ? stamp : nil,
      sequence: taken.sequence,
      isDamaged: taken.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
    )
  }

  func startStream() throws(SystemError) {
    var type = Int32(Self.capture)
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
    name.type = Self.capture
    name.memory = V4L2_MEMORY_MMAP.rawValue
    name.index = UInt32(buffer)
    return name
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
