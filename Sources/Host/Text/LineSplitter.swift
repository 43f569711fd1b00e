import Glibc

/// Cuts a stream of bytes into numbered lines, in bounded memory.
///
/// Lines end with LF or CRLF; a UTF-8 byte order mark at the start of the stream is dropped. A line
/// longer than the longest is reported once, as soon as that is known, and skipped to its end.
package struct LineSplitter: Sendable {
  /// The bytes that a line of positions may have, its end not counted. A position needs about 60.
  package static let longestLine = 4096

  package enum Content: Hashable, Sendable {
    case line([UInt8])
    /// What followed the last line end when the stream ended.
    case unterminated([UInt8])
    case tooLong
    /// A part of a line that is too long, in order, if such parts are requested.
    case rest([UInt8])
  }

  /// The line's number, from 1, and its content.
  package typealias Output = (_ number: Int, _ content: Content) -> Void

  private var number = 1
  private var pending: [UInt8] = []
  private var skipping = false

  private let longest: Int
  private let passesOnRests: Bool

  /// - Parameters:
  ///   - longest: the bytes that a line may have, its end not counted.
  ///   - passesOnRests: whether to output the bytes of a longer line, as ``Content/rest(_:)``.
  package init(longest: Int = longestLine, passesOnRests: Bool = false) {
    self.longest = longest
    self.passesOnRests = passesOnRests
  }

  /// The bytes held of the unfinished line.
  package var heldCount: Int { pending.count }

  package mutating func append(_ bytes: UnsafeRawBufferPointer, _ output: Output) {
    var rest = bytes[...]
    while let start = rest.baseAddress, !rest.isEmpty {
      guard let found = memchr(start, Int32(UInt8(ascii: "\n")), rest.count) else {
        add(rest, endsLine: false, output)
        return
      }
      let length = UnsafeRawPointer(found) - start
      add(rest.prefix(length), endsLine: true, output)
      if skipping { skipping = false } else { complete(output) }
      number += 1
      rest = rest.dropFirst(length + 1)
    }
  }

  /// Drops the unfinished line, whose rest is skipped when it comes.
  package mutating func skipToEndOfLine() {
    pending.removeAll(keepingCapacity: true)
    skipping = true
  }

  /// Ends the stream.
  package mutating func finish(_ output: Output) {
    if !skipping, !pending.isEmpty { output(number, .unterminated(stripped())) }
    self = LineSplitter(longest: longest, passesOnRests: passesOnRests)
  }

  /// Adds a part of a line; a carriage return may exceed the length only if the line ends with it.
  private mutating func add(
    _ part: Slice<UnsafeRawBufferPointer>,
    endsLine: Bool,
    _ output: Output
  ) {
    guard !skipping else {
      if passesOnRests { output(number, .rest(Array(part))) }
      return
    }
    var length = pending.count + part.count
    if endsLine, part.last ?? pending.last == UInt8(ascii: "\r") { length -= 1 }
    // A return after a full line may belong to its end: only the next byte decides.
    let mayEnd = !endsLine && part.last == UInt8(ascii: "\r")
    guard length <= longest + (mayEnd ? 1 : 0) else {
      output(number, .tooLong)
      if passesOnRests { output(number, .rest(pending + part)) }
      pending.removeAll(keepingCapacity: true)
      skipping = true
      return
    }
    pending.append(contentsOf: part)
  }

  private mutating func complete(_ output: Output) {
    output(number, .line(stripped()))
    pending.removeAll(keepingCapacity: true)
  }

  private func stripped() -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = number == 1 && pending.starts(with: mark) ? mark.count : 0
    let end = pending.last == UInt8(ascii: "\r") ? pending.count - 1 : pending.count
    return Array(pending[start..<max(start, end)])
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var baseAddress: UnsafeRawPointer? {
    base.baseAddress.map { $0 + startIndex }
  }
}
