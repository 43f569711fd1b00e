import DBus
import Foundation
import Glibc

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
      ),
      timeout: nil
    )
    guard case .dictionary(_, _, let rules) = reply.arguments.first else {
      throw CannotBePlayed(description: "the bus does not tell its match rules: \(reply)")
    }
    matchRules = rules.values.map { $0.strings?.count ?? 0 }.reduce(0, +)
    heap = try Self.heapInUse()
    fileDescriptors = try Self.entries(of: "/proc/self/fd")
    threads = try Self.entries(of: "/proc/self/task")
  }

  /// From glibc's own account of all arenas, whose totals stand at the end. (The Swift overlay has
  /// neither this function nor `mallinfo2`.)
  private static func heapInUse() throws -> Int {
    typealias Account = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &size) else {
      throw CannotBePlayed(description: "glibc does not tell what is allocated")
    }
    defer { free(text) }
    let result = unsafeBitCast(symbol, to: Account.self)(0, file)
    fclose(file)
    guard result == 0, let text else {
      throw CannotBePlayed(description: "glibc does not tell what is allocated")
    }
    let account = String(cString: text)
    func last(_ element: String) throws -> Int {
      let wanted = try Regex("<\(element)( count=\"[0-9]+\")? size=\"([0-9]+)\"")
      return account.matches(of: wanted).last.flatMap { $0.output[2].substring }
        .flatMap { Int($0) } ?? 0
    }
    return try last("system type=\"current\"") + last("total type=\"mmap\"")
      - last("total type=\"fast\"") - last("total type=\"rest\"")
  }

  private static func entries(of folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }
}
