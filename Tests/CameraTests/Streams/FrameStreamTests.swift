import Clocks
import Foundation
import Glibc
import Host
import TestSupport
import Testing

@testable import Camera

extension FrameStream {
  /// A frame that was taken, with its bytes.
  fileprivate struct Taken: Equatable {
    let layout: FrameLayout
    let bytes: [UInt8]
    let time: MonotonicInstant
  }

  fileprivate func taken() throws -> Taken? {
    guard let frame = try takeNewest() else { return nil }
    return Taken(layout: frame.layout, bytes: Array(frame.bytes), time: frame.time)
  }
}

@Suite(.mustEnd) struct FrameStreamTests {
  private let clock = ManualClock(start: .start.advanced(by: .seconds(100)))
  private let writing: FileDescriptor
  private let stream: FrameStream

  init() throws {
    let pipe = try FileDescriptor.pipe()
    writing = pipe.writing
    stream = try FrameStream("standard input", input: pipe.reading, rate: 15, clock: clock)
    try stream.start()
  }

  private func send(_ bytes: some Collection<UInt8>) throws {
    try writeAll(Array(bytes), to: writing.number)
  }

  @Test func theNewestWholeFrameIsTaken() throws {
    #expect(try stream.taken() == nil)
    try send(GoldenJPEG.bytes.prefix(100))
    #expect(try stream.taken() == nil)
    clock.advance(by: .milliseconds(66))
    let second = try JPEGCodec.write(.gradient(width: 64, height: 48))
    try send(GoldenJPEG.bytes.dropFirst(100) + second + second.prefix(50))
    let frame = FrameStream.Taken(
      layout: FrameLayout(.mjpeg, 64, 48),
      bytes: second,
      time: clock.now
    )
    #expect(try stream.taken() == frame)
    #expect(stream.counts.taken == 1 && stream.counts.passedOver == 1)
  }

  @Test func aFrameThatSaysNoSizeIsDamaged() throws {
    try send([0xFF, 0xD8, 0xFF, 0xD9] + GoldenJPEG.bytes)
    #expect(try stream.taken() != nil)
    #expect(stream.counts.damaged == 1)
  }
}

/// A stream's end needs one that can be closed.
@Suite(.mustEnd) struct FrameStreamEndTests {
  private let clock = ManualClock(start: .start.advanced(by: .seconds(100)))

  private func stream(_ bytes: [UInt8]) throws -> FrameStream {
    let pipe = try FileDescriptor.pipe()
    try writeAll(bytes, to: pipe.writing.number)
    let stream = try FrameStream("standard input", input: pipe.reading, rate: 15, clock: clock)
    try stream.start()
    return stream
  }

  @Test func theEndOfStandardInputIsTheStreams() throws {
    let stream = try stream(GoldenJPEG.bytes + GoldenJPEG.bytes.dropLast(9))
    #expect(try stream.taken() != nil && !stream.hasEnded)
    while !stream.hasEnded { #expect(try stream.taken() == nil) }
    #expect(stream.counts.damaged == 1 && stream.counts.taken == 1)
    #expect(!stream.canBeReopened)
  }

  @Test(arguments: [[], [1, 2, 3], [UInt8](repeating: 65, count: 100_000)] as [[UInt8]])
  func whatHasNoFrameIsAFailure(_ bytes: [UInt8]) throws {
    let stream = try FrameStream(
      "standard input",
      input: try FileDescriptor.reading(bytes),
      rate: 15,
      clock: clock
    )
    try stream.start()
    let problem = #expect(throws: CameraProblem.self) {
      while !stream.hasEnded { _ = try stream.takeNewest() }
    }
    #expect(problem?.code == .badFile)
  }

  /// Takes until there is a frame, or throws.
  private func next(_ stream: FrameStream) async throws -> Int {
    while true {
      if let frame = try stream.taken() { return frame.bytes.count }
      clock.advance(by: .milliseconds(66))
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func running(_ script: String, _ arguments: String...) throws -> FrameStream {
    let stream = try FrameStream.running(
      ["sh", "-c", script, "name"] + arguments,
      rate: 15,
      clock: clock
    )
    try stream.start()
    return stream
  }

  @Test func aProgramsFramesAreTaken() async throws {
    let folder = try TemporaryDirectory()
    let path = folder("frames")
    try Data(GoldenJPEG.bytes).write(to: URL(fileURLWithPath: path))
    let stream = try running("echo some >&2; cat \"$1\"; echo last words >&2; exit 3", path)
    #expect(try await next(stream) == GoldenJPEG.bytes.count)
    #expect(stream.canBeReopened)
    let problem = await #expect(throws: CameraProblem.self) { try await next(stream) }
    #expect(
      problem?.code == .programEnded
        && problem?.cause == "it has ended, status 3; it said: last words"
    )
  }

  /// More than a pipe holds.
  @Test func complaintsHoldNothingUp() async throws {
    let folder = try TemporaryDirectory()
    let path = folder("frames")
    try Data(GoldenJPEG.bytes).write(to: URL(fileURLWithPath: path))
    let stream = try running("seq 1 100000 >&2; cat \"$1\"; sleep 100", path)
    #expect(try await next(stream) == GoldenJPEG.bytes.count)
    #expect(stream.trouble?.cause.hasSuffix("; it said: 100000") == true)
  }

  @Test func aProgramEndsWithItsStream() async throws {
    let folder = try TemporaryDirectory()
    let path = folder("frames")
    try Data(GoldenJPEG.bytes).write(to: URL(fileURLWithPath: path))
    var stream: FrameStream? = try running(
      "trap '' TERM; (sleep 1000 & echo $! > \"$2\"; cat \"$1\"; wait)",
      path,
      folder("child")
    )
    _ = try await next(try #require(stream))
    let text = try String(contentsOfFile: folder("child"), encoding: .utf8)
    let child = try #require(pid_t(text.filter(\.isNumber)))
    #expect(kill(child, 0) == 0)
    stream = nil
    while kill(child, 0) == 0 { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test func aProgramThatIsMissingIsNamed() {
    let problem = #expect(throws: CameraProblem.self) {
      try FrameStream.running(["no-such-program"], rate: 15, clock: clock)
    }
    #expect(problem?.code == .needsProgram && problem?.path == "no-such-program")
  }
}

extension FileDescriptor {
  /// A pipe that gives these bytes, from a thread of its own, and ends.
  fileprivate static func reading(_ bytes: [UInt8]) throws -> FileDescriptor {
    let (reading, writing) = try pipe()
    Thread.detachNewThread { try? writeAll(bytes, to: writing.number) }
    return reading
  }
}
