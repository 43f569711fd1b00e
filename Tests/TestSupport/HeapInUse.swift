import Foundation
import Glibc

/// What this process has allocated and not freed, from glibc's own account of all arenas. (The Swift
/// overlay has neither `malloc_info` nor `mallinfo2`.)
package enum HeapInUse {
  package struct Untold: Error, CustomStringConvertible {
    package let description = "glibc does not tell what is allocated"
  }

  /// In bytes; hardly any where a sanitizer has an allocator of its own.
  package static func bytes() throws -> Int {
    typealias Account = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &size) else {
      throw Untold()
    }
    defer { free(text) }
    let result = unsafeBitCast(symbol, to: Account.self)(0, file)
    fclose(file)
    guard result == 0, let text else { throw Untold() }
    let account = String(cString: text)
    // The totals stand at the end.
    func last(_ element: String) throws -> Int {
      let wanted = try Regex("<\(element)( count=\"[0-9]+\")? size=\"([0-9]+)\"")
      return account.matches(of: wanted).last.flatMap { $0.output[2].substring }
        .flatMap { Int($0) } ?? 0
    }
    return try last("system type=\"current\"") + last("total type=\"mmap\"")
      - last("total type=\"fast\"") - last("total type=\"rest\"")
  }
}
