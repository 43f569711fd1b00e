import Clocks
import CourtMapping
import Foundation
import Host
import TestSupport
import Testing

@testable import Camera

@Suite(.mustEnd) struct FrameFileTests {
  private let folder: TemporaryDirectory
  private let clock = ManualClock(start: .start.advanced(by: .seconds(100)))

  init() throws { folder = try TemporaryDirectory() }

  private func file(_ bytes: [UInt8]) throws -> String {
    let path = folder("frames")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func open(
    _ bytes: [UInt8],
    _ content: FrameFile.Content,
    times: Int = 1
  ) throws -> FrameFile {
    try FrameFile(
      try file(bytes),
      content,
      rate: 10,
      isPaced: false,
      times: times,
      clock: clock
    )
  }

  private static let small = PictureSize(width: 16, height: 16)!
  private static func raw(_ value: UInt8) -> [UInt8] { [UInt8](repeating: value, count: 512) }

  /// Each frame's first byte, time since the first, and number.
  private func all(_ source: FrameFile) throws -> [(UInt8, Duration, UInt32)] {
    try source.start()
    var all: [(UInt8, Duration, UInt32)] = []
    while !source.hasEnded {
      guard let frame = try source.takeNewest() else { continue }
      let time = MonotonicInstant.start.advanced(by: .seconds(100)).duration(to: frame.time)
      all.append((frame.bytes[0], time, frame.sequence))
    }
    return all
  }

  @Test func rawFramesComeInOrderAtTheirTimes() throws {
    let source = try open(Self.raw(1) + Self.raw(2) + Self.raw(3), .yuyv(Self.small))
    #expect(source.layout == FrameLayout(.yuyv, 16, 16))
    let all = try all(source)
    #expect(all.map(\.0) == [1, 2, 3])
    #expect(all.map(\.1) == [.zero, .milliseconds(100), .milliseconds(200)])
    #expect(all.map(\.2) == [0, 1, 2])
    #expect(source.counts.taken == 3 && source.counts.damaged == 0)
  }

  @Test func aFileIsReadSoManyTimes() throws {
    let source = try open(Self.raw(1) + Self.raw(2), .yuyv(Self.small), times: 3)
    let all = try all(source)
    #expect(all.map(\.0) == [1, 2, 1, 2, 1, 2])
    #expect(all.last?.1 == .milliseconds(500))
    let pictures = try open(GoldenJPEG.bytes + GoldenJPEG.bytes.dropLast(9), .mjpeg, times: 2)
    let count = GoldenJPEG.bytes.count
    try pictures.start()
    var lengths: [Int] = []
    while !pictures.hasEnded {
      guard let frame = try pictures.takeNewest() else { continue }
      lengths.append(frame.bytes.count)
    }
    #expect(lengths == [count, count - 9, count, count - 9])
  }

  @Test func aRawFrameThatIsCutIsCounted() throws {
    let source = try open(Self.raw(1) + Self.raw(2).dropLast(), .yuyv(Self.small))
    #expect(try all(source).map(\.0) == [1])
    #expect(source.counts.damaged == 1)
  }

  @Test func picturesComeInOrder() throws {
    let second = try JPEGCodec.write(.gradient(width: 32, height: 16))
    let source = try open(
      GoldenJPEG.bytes + second + GoldenJPEG.bytes.dropLast(9),
      .mjpeg
    )
    #expect(source.layout == FrameLayout(.mjpeg, 32, 16))
    try source.start()
    let decoder = FrameDecoder()
    var lengths: [Int] = []
    while !source.hasEnded {
      guard let frame = try source.takeNewest() else { continue }
      var picture = ColourPicture(width: 0, height: 0)
      lengths.append(frame.bytes.count)
      if lengths.count < 3 {
        try decoder.readSmall(frame, into: &picture)
      } else {
        #expect(throws: PictureProblem.self) { try decoder.readSmall(frame, into: &picture) }
      }
    }
    #expect(lengths == [GoldenJPEG.bytes.count, second.count, GoldenJPEG.bytes.count - 9])
    #expect(source.counts.damaged == 1)
  }

  @Test func badFilesAreReported() throws {
    func problem(_ path: String, _ content: FrameFile.Content = .mjpeg) -> String? {
      do throws(CameraProblem) {
        _ = try FrameFile(path, content, rate: 10, isPaced: false, clock: clock)
        return nil
      } catch {
        return "\(error.code.rawValue): \(error.cause)"
      }
    }
    #expect(problem(folder("none")) == "bad-file: can't open it: No such file or directory")
    #expect(problem(folder.path) == "bad-file: can't read it: it is no regular file")
    let text = try folder.write("no frames", to: "text")
    let noJPEG = "bad-file: its first frame can't be used: it doesn't begin like a JPEG"
    #expect(problem(text) == noJPEG)
    #expect(problem(text, .yuyv(Self.small)) == "bad-file: it has no whole frame")
    let huge = try #require(PictureSize(width: 16384, height: 16384))
    #expect(problem(text, .yuyv(huge)) == "bad-file: no camera has 16384 × 16384 pixels")
  }

  /// Woken as a program is, by the descriptor alone.
  private actor Reader {
    private nonisolated let executor = LoopExecutor()
    private let source: FrameFile
    private var watch: FileWatch?
    private var times: [MonotonicInstant] = []
    private var end: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ path: String, isPaced: Bool) throws {
      source = try FrameFile(
        path,
        .yuyv(FrameFileTests.small),
        rate: 50,
        isPaced: isPaced,
        clock: SystemClock()
      )
    }

    func read() async throws -> ([MonotonicInstant], FrameCounts) {
      await withCheckedContinuation { continuation in
        end = continuation
        watch = executor.watch(source.descriptor.number) { [weak self] in
          self?.assumeIsolated { $0.take() }
        }
        do { try source.start() } catch { Issue.record(error) }
      }
      return (times, source.counts)
    }

    private func take() {
      do {
        if let frame = try source.takeNewest() { times.append(frame.time) }
      } catch {
        Issue.record(error)
      }
      if source.hasEnded {
        watch = nil
        end?.resume()
        end = nil
      }
    }
  }

  @Test(arguments: [false, true])
  func itsDescriptorWakesTheReader(isPaced: Bool) async throws {
    let path = try file((0..<20).flatMap { Self.raw($0) })
    let (times, counts) = try await Reader(path, isPaced: isPaced).read()
    #expect(times.count == counts.taken)
    #expect(counts.taken + counts.passedOver == 20)
    #expect(isPaced || counts.passedOver == 0)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    // Not before its time, however late.
    let first = try #require(times.first)
    let last = try #require(times.last)
    #expect(isPaced || first.duration(to: last) == .milliseconds(380))
    #expect(first.duration(to: last) >= .milliseconds(20 * (counts.taken - 2)))
  }
}
