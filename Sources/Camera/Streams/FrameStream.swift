package import Clocks
package import CourtMapping
import Glibc
package import Host

/// Frames that come as a stream of bytes, the newest first: from standard input, a FIFO, or a program
/// that this one runs.
///
/// Not to be shared: it belongs to the actor whose executor watches ``descriptor``.
package final class FrameStream: FrameSource {
  package let path: String
  package private(set) var hasEnded = false
  package var descriptor: FileDescriptor { files.descriptor }
  /// What ends or cuts a stream from outside is gone; a program can be started once more.
  package var canBeReopened: Bool { program != nil }
  package var counts: FrameCounts {
    var counts = counted
    counts.damaged += parser.damaged
    return counts
  }

  /// A camera at the network may have whole pictures only every ten seconds.
  private static let firstPatience = Duration.seconds(15)
  private static let patience = Duration.seconds(3)
  /// A picture that stays the same to the bit for so long isn't a camera's.
  private static let longestStill = Duration.seconds(10)
  /// What is read in one turn: a raw frame of the largest size.
  private static let mostReads = 256

  private let input: FileDescriptor
  private let program: FrameProgram?
  /// What the words of ffmpeg mean, which reads a camera at the network.
  private let complaint: FFmpegComplaint?
  private let files: FileSet
  private let clock: any MonotonicClock
  private var parser = StreamParser()
  private var stamps: PictureStamps?
  private var delay: StreamDelay
  private var pace: FramePace
  private var counted = FrameCounts()
  private var number: UInt32 = 0
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var isAtEnd = false
  /// How late the last picture came, if it was too late.
  private var lateness: Duration?
  /// The last picture, and since when it is the same.
  private var last: (picture: StreamPicture, since: MonotonicInstant)?
  private var lastProblem: PictureProblem?

  private enum File: Int {
    case input, errors, notes
  }

  /// - Parameters:
  ///   - path: what people know it by.
  ///   - rate: frames a second that are worked on.
  package convenience init(
    _ path: String,
    input: FileDescriptor,
    rate: Double,
    clock: any MonotonicClock
  ) throws(CameraProblem) {
    try self.init(path, input: input, program: nil, rate: rate, clock: clock)
  }

  private init(
    _ path: String,
    input: FileDescriptor,
    program: FrameProgram?,
    _ complaint: FFmpegComplaint? = nil,
    rate: Double,
    clock: any MonotonicClock
  ) throws(CameraProblem) {
    self.path = path
    self.input = input
    self.program = program
    self.complaint = complaint
    self.clock = clock
    pace = FramePace(rate: rate)
    delay = StreamDelay(hasStamps: program?.notes != nil)
    stamps = program?.notes.map { _ in PictureStamps() }
    do throws(SystemError) {
      files = try FileSet()
      try program?.notes?.setNonBlocking()
    } catch {
      throw CameraProblem(.streamFailed, path, error.description)
    }
  }

  /// Runs a program that writes frames to its standard output.
  ///
  /// - Parameter command: the program, of `PATH`, and its arguments.
  package static func running(
    _ command: [String],
    rate: Double,
    clock: any MonotonicClock
  ) throws(CameraProblem) -> FrameStream {
    let program = try FrameProgram(command)
    return try FrameStream(
      program.name,
      input: program.output,
      program: program,
      rate: rate,
      clock: clock
    )
  }

  /// Connects to a camera at the network, through ffmpeg.
  ///
  /// - Parameters:
  ///   - login: nil: it wants none.
  ///   - size: nil: its own, or 640 pixels wide if that is larger.
  package static func connecting(
    to address: StreamAddress,
    _ login: CameraLogin?,
    size: PictureSize?,
    rate: Double,
    clock: any MonotonicClock
  ) throws(CameraProblem) -> FrameStream {
    let program = try FrameProgram(
      FFmpeg.reading(address, size: size),
      input: Array(FFmpeg.script(address, login).utf8),
      hasNotes: address.hasStamps
    )
    return try FrameStream(
      address.description,
      input: program.output,
      program: program,
      FFmpegComplaint(address, login),
      rate: rate,
      clock: clock
    )
  }

  package func start() throws(CameraProblem) {
    var status = stat()
    // A set takes no regular file, and a folder has no bytes.
    guard fstat(input.number, &status) == 0, files.add(input, as: File.input.rawValue) else {
      throw CameraProblem(.badFile, path, "it is no pipe and no socket")
    }
    if let program { _ = files.add(program.errors, as: File.errors.rawValue) }
    if let notes = program?.notes { _ = files.add(notes, as: File.notes.rawValue) }
  }

  package var patience: Duration { counted.taken == 0 ? Self.firstPatience : Self.patience }

  package func takeNewest() throws(CameraProblem) -> Frame? {
    if let program, !program.readErrors() { files.remove(program.errors) }
    let wasAtEnd = isAtEnd
    try readInput()
    readNotes()
    let newest = newestPicture()
    if let problem = parser.problem {
      throw CameraProblem(.badFile, path, problem, remedy: FFmpeg.streamAdvice)
    }
    guard let (picture, layout, time) = newest else {
      if wasAtEnd { try end() }
      return nil
    }
    guard pace.takes(time) else {
      counted.passedOver += 1
      return nil
    }
    counted.taken += 1
    return Frame(copying: picture.bytes, layout, time: time, sequence: number)
  }

  // MARK: Bytes

  private func readInput() throws(CameraProblem) {
    for _ in 0..<Self.mostReads where !isAtEnd {
      // The file may be another program's, too, and waiting its habit.
      var ready = pollfd(fd: input.number, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 0) > 0 else { return }
      let count = read(input.number, &buffer, buffer.count)
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { return }
        throw CameraProblem(.streamFailed, path, SystemError("read it").description)
      }
      isAtEnd = count == 0
      parser.add(buffer[..<count])
    }
  }

  private func readNotes() {
    guard let notes = program?.notes else { return }
    while true {
      let count = read(notes.number, &buffer, buffer.count)
      guard count > 0 else {
        if count == 0 { files.remove(notes) }
        return
      }
      buffer.withUnsafeBytes { bytes in
        stamps?.add(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
      }
    }
  }

  // MARK: Pictures

  private func newestPicture() -> (StreamPicture, FrameLayout, MonotonicInstant)? {
    var newest: (StreamPicture, FrameLayout, MonotonicInstant)?
    let now = clock.now
    while let picture = parser.next() {
      number &+= 1
      let verdict = delay.judge(stamps?.next(), arrival: now)
      guard let (layout, time) = judge(picture, verdict, now) else { continue }
      if newest != nil { counted.passedOver += 1 }
      newest = (picture, layout, time)
    }
    // Counts what the end has cut off.
    if isAtEnd { _ = parser.rest() }
    return newest
  }

  /// - Returns: nil if no player is searched in it.
  private func judge(
    _ picture: StreamPicture,
    _ verdict: StreamDelay.Verdict,
    _ now: MonotonicInstant
  ) -> (FrameLayout, MonotonicInstant)? {
    let layout: FrameLayout
    do throws(PictureProblem) { layout = try picture.ownLayout() } catch {
      lastProblem = error
      counted.damaged += 1
      return nil
    }
    switch verdict {
    case .unknown:
      counted.old += 1
      return nil
    case .late(let delay):
      lateness = delay
      counted.old += 1
      return nil
    case .fresh(let delay):
      lateness = nil
      guard !repeats(picture, now) else {
        counted.old += 1
        return nil
      }
      return (layout, now.advanced(by: .zero - delay))
    }
  }

  private func repeats(_ picture: StreamPicture, _ now: MonotonicInstant) -> Bool {
    guard complaint != nil else { return false }
    let since = last?.picture == picture ? last?.since ?? now : now
    last = (picture, since)
    return since.duration(to: now) >= Self.longestStill
  }

  // MARK: Failures

  /// Everything that came was looked at.
  private func end() throws(CameraProblem) {
    guard let program else {
      guard counted.taken + counted.old + counted.passedOver > 0 else {
        throw CameraProblem(.badFile, path, lastProblem?.cause ?? "it has no whole frame")
      }
      hasEnded = true
      return
    }
    let status = program.endStatus().map { ", status \($0)" } ?? ""
    program.readErrors()
    let name = program.name == path ? "it" : program.name
    throw known ?? CameraProblem(.programEnded, path, "\(name) has ended\(status)\(said)")
  }

  package var trouble: CameraProblem? {
    if let lateness {
      let seconds = ((lateness / .seconds(1)) * 10).rounded() / 10
      return CameraProblem(.late, path, "its pictures come \(seconds) s late")
    }
    if let last, last.since.duration(to: clock.now) >= Self.longestStill {
      return CameraProblem(.frozen, path, "it sends the same picture again and again")
    }
    if let known { return known }
    if let lastProblem, counted.taken == 0 {
      return CameraProblem(.streamFailed, path, "none of its pictures can be used: \(lastProblem)")
    }
    let cause = number == 0 ? "no picture has come" : "no picture has come for 3 s"
    return CameraProblem(.frozen, path, cause + said)
  }

  /// Why a camera at the network has sent nothing. Later, ffmpeg complains of single pictures, too.
  private var known: CameraProblem? {
    number == 0 ? complaint?.problem(program?.complaints ?? []) : nil
  }

  private var said: String {
    program?.readErrors()
    guard let last = program?.complaints.last else { return "" }
    return "; it said: \(complaint?.scrubbed(last) ?? last)"
  }
}
