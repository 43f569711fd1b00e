import Clocks
import Foundation
import Glibc
import TestSupport

@testable import Host
@testable import JSON

/// A program at the other end of one of the service's sockets, well-behaved or not: it writes what
/// it likes, and reads when it likes.
final class WireClient: Sendable {
  private let descriptor: FileDescriptor
  private let feeder: Feeder
  private let unread = Locked<(bytes: [UInt8], hasEnded: Bool)>(([], false))

  init(_ path: String) async throws {
    // It waits in line when many come at once.
    let connected = try await WaitingThread.value {
      Result { try UnixSocketAddress(path: path).connected() }
    }
    descriptor = try connected.get()
    feeder = Feeder(descriptor)
  }

  /// Returns once the kernel has everything.
  @discardableResult
  func write(_ text: String) async -> Bool { await feeder.write(text) }

  @discardableResult
  func write(_ bytes: [UInt8]) async -> Bool { await feeder.write(bytes) }

  /// Writes a request, with the line's end.
  func ask(_ method: String, _ parameters: String? = nil, id: Int? = nil) async {
    let parts = [
      #""jsonrpc":"2.0","method":"\#(method)""#, parameters.map { #""params":\#($0)"# },
      id.map { #""id":\#($0)"# },
    ]
    await write("{\(parts.compactMap(\.self).joined(separator: ","))}\n")
  }

  /// The next line, as an object; nil at the end.
  func line() async -> JSONValue? {
    await text().flatMap { try? JSONValue(text: Array($0.utf8)) }
  }

  /// The next line; nil at the end.
  func text() async -> String? {
    while true {
      let line: String?? = unread.withLock { unread in
        if let end = unread.bytes.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: unread.bytes[..<end], as: UTF8.self)
          unread.bytes.removeFirst(end + 1)
          return line
        }
        return unread.hasEnded ? .some(nil) : nil
      }
      if let line {
        if let line { PrintedRecords.add(line) }
        return line
      }
      await fill()
    }
  }

  /// Waits for more, or the end.
  private func fill() async {
    await withCheckedContinuation { continuation in
      do {
        try WaitingThread.start { [self] in
          var buffer = [UInt8](repeating: 0, count: 65_536)
          var count = -1
          repeat {
            count = read(descriptor.number, &buffer, buffer.count)
          } while count < 0 && errno == EINTR
          unread.withLock { unread in
            if count > 0 { unread.bytes += buffer.prefix(count) } else { unread.hasEnded = true }
          }
          continuation.resume()
        }
      } catch {
        unread.withLock { $0.hasEnded = true }
        continuation.resume()
      }
    }
  }

  /// The answer to a question; what else comes before it is passed over.
  func answer(to id: Int) async -> JSONValue? {
    while let line = await line() {
      if line["id"] == .integer(Int64(id)) { return line }
    }
    return nil
  }

  /// Asks and awaits the answer.
  func call(_ method: String, _ parameters: String? = nil, id: Int = 1) async -> JSONValue? {
    await ask(method, parameters, id: id)
    return await answer(to: id)
  }

  /// Says that nothing more will be said.
  func endWriting() { _ = shutdown(descriptor.number, Int32(SHUT_WR)) }

  /// Goes, as a process that ends does.
  func leave() { _ = shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}
