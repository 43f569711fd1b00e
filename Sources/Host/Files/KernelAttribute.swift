/// A file in which the kernel shows one word or line, in sysfs or the device tree.
package enum KernelAttribute {
  /// The text without what ends it: a line feed in sysfs, a zero in the device tree.
  ///
  /// - Returns: nil when it is missing or empty, longer than any such file, or not printable ASCII,
  ///   because it is shown in terminals.
  package static func text(in path: String) -> String? {
    guard var bytes = try? InputFile.bytes(path, longest: 128) else { return nil }
    if bytes.last == UInt8(ascii: "\n") || bytes.last == 0 { bytes.removeLast() }
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
