import Glibc
import JSON
import TestSupport

@testable import Host

/// What listens at `frames.sock` in the camera's place, and does as a test says.
struct FakeFinder {
  private let listener: FileDescriptor
  /// They stay open, whatever a test forgets.
  private let feeders = Locked<[Feeder]>([])

  init(path: String) throws {
    listener = try UnixSocketAddress.socket()
    let (number, address) = (listener.number, try UnixSocketAddress(path: path))
    guard address.withSocketAddress({ bind(number, $0, $1) }) == 0, listen(number, 4) == 0 else {
      throw SystemError("listen at \(path)")
    }
  }

  /// The next feeder.
  func feeder() async -> Feeder {
    let number = await inSpareTime { [listener] in accept(listener.number, nil, nil) }
    let feeder = Feeder(FileDescriptor(owning: number))
    feeders.withLock { $0.append(feeder) }
    return feeder
  }

  /// A connection of a feeder.
  final class Feeder: Sendable {
    private let descriptor: FileDescriptor

    fileprivate init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    /// The next line; nil at the feeder's end.
    func line() async -> JSONValue? {
      await inSpareTime { [descriptor] in
        var line: [UInt8] = []
        var byte = UInt8(0)
        while read(descriptor.number, &byte, 1) == 1 {
          guard byte != UInt8(ascii: "\n") else { return try? JSONValue(text: line) }
          line.append(byte)
        }
        return nil
      }
    }

    func bytes(_ count: Int) async -> [UInt8] {
      await inSpareTime { [descriptor] in
        var bytes = [UInt8](repeating: 0, count: count)
        var known = 0
        while known < count {
          let more = bytes.withUnsafeMutableBytes {
            read(descriptor.number, $0.baseAddress! + known, count - known)
          }
          guard more > 0 else { return [] }
          known += more
        }
        return bytes
      }
    }

    func say(_ text: String) throws { try writeAll(text + "\n", to: descriptor.number) }

    func close() { shutdown(descriptor.number, Int32(SHUT_RDWR)) }
  }
}
