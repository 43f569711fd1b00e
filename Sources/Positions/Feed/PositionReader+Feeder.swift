import Clocks
import CourtMapping
import Glibc
import Host

extension PositionReader {
  /// A source of lines, and what is known of it.
  final class Feeder {
    /// What the set of files calls it.
    let number: Int
    let name: String
    /// Set when a FIFO is to be opened again for its next writer.
    let fifo: String?
    private(set) var descriptor: FileDescriptor
    /// Set where ``descriptor`` is its pipe.
    private var copy: CopiedFile?
    /// Whether its last line may lack an end because its writer has gone.
    private let mayBeCut: Bool
    /// A FIFO's writer shows only with its first bytes.
    var lane: PositionEventQueue.LaneID?
    /// When it sent its last bytes, or came.
    var lastHeard = MonotonicInstant.start
    /// Whether its next bytes may be older than the end of a standstill.
    private(set) var isStale = false
    /// A terminal keeps more than one read shows: until when its bytes count as stale.
    private var staleEnd: MonotonicInstant?
    private let isTerminal: Bool
    private let serialPort: SerialPort?
    private var decoder: PositionDecoder
    private var sources = SourceWatches()
    private var wantsReplies = false

    init(
      _ descriptor: FileDescriptor,
      number: Int,
      name: String,
      fifo: String? = nil,
      serialPort: SerialPort? = nil,
      lane: PositionEventQueue.LaneID? = nil,
      frame: CourtFrame
    ) {
      decoder = PositionDecoder(.ofArrival, frame: frame)
      self.descriptor = descriptor
      self.number = number
      self.name = name
      self.fifo = fifo
      self.lane = lane
      mayBeCut = !descriptor.isRegularFile
      isTerminal = isatty(descriptor.number) != 0
      self.serialPort = serialPort
      if serialPort != nil { decoder.skipToEndOfLine() }
    }

    /// Adds its file to those that are waited for, or a copy of a file that can't be.
    func join(_ files: FileSet) throws(SystemError) {
      if !isTerminal || serialPort != nil, files.add(descriptor, as: number) { return }
      let copy = try CopiedFile(descriptor, name: name)
      guard files.add(copy.pipe, as: number) else { throw SystemError("wait for positions") }
      self.copy = copy
      descriptor = copy.pipe
    }

    /// Opens a FIFO again, before it is closed, so that a writer always finds a reader.
    func open(_ fifo: String, in files: FileSet) throws(SystemError) {
      descriptor = try PositionReader.openFIFO(fifo)
      copy = nil
      try join(files)
    }

    /// Why its file has ended too early.
    var failure: SystemError? { copy?.failure }

    /// - Parameter calibration: for picture points.
    func decode(
      _ bytes: ArraySlice<UInt8>,
      with calibration: Calibration?,
      at now: MonotonicInstant
    ) -> [PositionLine] {
      var lines: [PositionLine] = []
      decoder.use(calibration)
      bytes.withUnsafeBytes { bytes in
        decoder.decode(bytes) { lines.append(judged($0, at: now)) }
      }
      return lines
    }

    /// The last line, where it has no end. What follows is of another source.
    func finish(at now: MonotonicInstant) -> [PositionLine] {
      var lines: [PositionLine] = []
      decoder.finish(mayBeCut: mayBeCut) { lines.append(judged($0, at: now)) }
      sources = SourceWatches()
      return lines
    }

    private func judged(_ line: PositionLine, at now: MonotonicInstant) -> PositionLine {
      guard case .report(var report, let number) = line else { return line }
      report.source = sources.judge(report, at: now)
      return .report(report, line: number)
    }

    // MARK: Standing still

    /// The process stood still: what waits now is of unknown age.
    func stoodStill(at now: MonotonicInstant) {
      isStale = true
      guard isTerminal else { return }
      staleEnd = now.advanced(by: StandstillWatch.pulse)
      guard let serialPort else { return }
      serialPort.discard()
      decoder.skipToEndOfLine()
    }

    /// All bytes that wait have been read, as far as that shows.
    func isRead(at now: MonotonicInstant) {
      if let staleEnd, now < staleEnd { return }
      isStale = false
      staleEnd = nil
    }

    /// The lines that were read are not used.
    func skip() {
      // What was discarded may be missing in the line that has begun.
      if serialPort != nil { decoder.skipToEndOfLine() }
    }

    /// Says which lines are refused, and why, to a client that has asked for it. One that doesn't
    /// read its replies gets no more.
    func reply(about lines: [PositionLine]) {
      var text: [UInt8] = []
      if lines.first == .wantsReplies {
        wantsReplies = true
        text += PositionReply.accepted
      }
      guard wantsReplies else { return }
      text += PositionReply.text(lines)
      guard !text.isEmpty else { return }
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      let sent = send(descriptor.number, text, text.count, flags)
      if sent < text.count { wantsReplies = false }
    }
  }

  /// - Returns: without waiting for a FIFO's writer. A terminal does not become the program's own.
  static func openFIFO(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open \(path)") }
    return FileDescriptor(owning: number)
  }
}

extension FileDescriptor {
  var isRegularFile: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.isRegularFile
  }
}
