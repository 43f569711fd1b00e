import Glibc
import Host

/// An address of this host at which nothing answers, as where a network is out: a listener whose queue is
/// full, so that the kernel drops what comes.
package final class Blackhole: Sendable {
  private let sockets: [FileDescriptor]

  /// - Parameters:
  ///   - address: of 127.0.0.0/8, other than the broker's.
  ///   - port: the broker's.
  package init(_ address: String, port: Int) throws {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    let size = socklen_t(MemoryLayout.size(ofValue: place))
    func opened(_ use: (Int32, UnsafePointer<sockaddr>) -> Void) throws -> FileDescriptor {
      let opened = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
      try opened.setNonBlocking()
      withUnsafePointer(to: &place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { use(opened.number, $0) }
      }
      return opened
    }
    let listener = try opened { number, place in
      guard bind(number, place, size) == 0, listen(number, 0) == 0 else {
        preconditionFailure("no \(address), port \(port)")
      }
    }
    sockets = [listener] + (try (0..<4).map { _ in try opened { _ = connect($0, $1, size) } })
  }
}
