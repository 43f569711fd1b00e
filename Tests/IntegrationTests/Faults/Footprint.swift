import DBus
import Foundation
import TestSupport

/// What this process holds, and what the bus holds for it.
struct Footprint {
  /// Bytes that are allocated and not freed; hardly any where a sanitizer has an allocator of its own.
  var heap: Int
  var fileDescriptors: Int
  var threads: Int
  /// Of all connections to the bus.
  var matchRules: Int
}

extension Footprint {
  /// - Parameter connection: to the bus; its daemon must have been built with statistics, as Debian's
  ///   is.
  init(over connection: Connection) async throws {
    let reply = try await connection.call(
      MethodCall(
        destination: "org.freedesktop.DBus",
        path: try ObjectPath("/org/freedesktop/DBus"),
        interface: "org.freedesktop.DBus.Debug.Stats",
        member: "GetAllMatchRules"
      )
    )
    guard case .dictionary(_, _, let rules) = reply.arguments.first else {
      throw CannotBePlayed(description: "the bus does not tell its match rules: \(reply)")
    }
    matchRules = rules.values.map { $0.strings?.count ?? 0 }.reduce(0, +)
    heap = try HeapInUse.bytes()
    fileDescriptors = try Self.entries(of: "/proc/self/fd")
    threads = try Self.entries(of: "/proc/self/task")
  }

  private static func entries(of folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }
}
