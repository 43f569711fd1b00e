import Clocks
import Glibc

/// Cuts a supplier's bytes into lines and frames, in bounded memory.
struct SupplierInput: Hashable {
  /// The bytes that a line may have, its end not counted.
  static let longestLine = 1024

  enum Item: Hashable {
    case hello(FrameSupplier)
    /// The time is when it was taken; nil: it waited for so long that it can't be told.
    case frame(SuppliedFrame, time: MonotonicInstant?)
    case trouble(SupplierWord)
    case end
  }

  private struct Frame: Hashable {
    let header: SuppliedFrame.Header
    let time: MonotonicInstant?
    var bytes: [UInt8]
  }

  private var line: [UInt8] = []
  /// The frame whose bytes come.
  private var frame: Frame?
  private var isGreeted = false

  /// - Parameter arrival: when these bytes came; nil if they waited too long for that to be known.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer,
    arrival: MonotonicInstant?,
    _ output: (Item) -> Void
  ) throws(SupplierFault) {
    var rest = UnsafeRawBufferPointer(rebasing: bytes[...])
    while !rest.isEmpty {
      let used = frame == nil ? try takeLine(rest, arrival, output) : readFrame(rest, output)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(used))
    }
  }

  /// - Returns: how many bytes belong to the line.
  private mutating func takeLine(
    _ bytes: UnsafeRawBufferPointer,
    _ arrival: MonotonicInstant?,
    _ output: (Item) -> Void
  ) throws(SupplierFault) -> Int {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
    let part = bytes.prefix(end ?? bytes.count)
    guard line.count + part.count <= Self.longestLine else {
      throw SupplierFault(reason: "a line is longer than \(Self.longestLine) bytes")
    }
    line.append(contentsOf: part)
    guard end != nil else { return part.count }
    let read = try SupplierLine(line)
    line.removeAll(keepingCapacity: true)
    if case .hello = read {
      guard !isGreeted else { throw SupplierFault(reason: "a line says nothing that is known") }
    } else if !isGreeted {
      throw SupplierFault(reason: "its first line does not say what it is")
    }
    isGreeted = true
    switch read {
    case .hello(let supplier): output(.hello(supplier))
    case .trouble(let word): output(.trouble(word))
    case .end: output(.end)
    case .frame(let header):
      var bytes: [UInt8] = []
      bytes.reserveCapacity(header.byteCount)
      frame = Frame(
        header: header,
        time: arrival.map { $0.advanced(by: .zero - header.age) },
        bytes: bytes
      )
    }
    return part.count + 1
  }

  /// - Returns: how many bytes belong to the frame.
  private mutating func readFrame(
    _ bytes: UnsafeRawBufferPointer,
    _ output: (Item) -> Void
  ) -> Int {
    guard let missing = frame.map({ $0.header.byteCount - $0.bytes.count }) else { return 0 }
    let part = bytes.prefix(missing)
    frame?.bytes.append(contentsOf: part)
    if part.count == missing, let whole = frame {
      frame = nil
      output(.frame(SuppliedFrame(header: whole.header, bytes: whole.bytes), time: whole.time))
    }
    return part.count
  }
}
