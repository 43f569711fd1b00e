import CZlib

/// The gzip content coding (RFC 9110, 8.4.1.3).
package enum Gzip {
  /// - Returns: nil where that is no shorter.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    let room = zlib_gzip_bound(bytes.count)
    let file = [UInt8](unsafeUninitializedCapacity: room) { target, count in
      count = target.baseAddress.map { zlib_gzip(bytes, bytes.count, $0, room) } ?? 0
    }
    return file.isEmpty || file.count >= bytes.count ? nil : file
  }
}

extension HTTPRequest {
  /// Whether the answer may be of gzip's coding (RFC 9110, 12.5.3): it is named, or what is meant by `*`,
  /// and without the weight 0.
  package var acceptsGzip: Bool {
    let codings = (joined("accept-encoding") ?? "").lowercased().split(separator: ",").map {
      coding in
      coding.filter { $0 != " " && $0 != "\t" }.split(separator: ";")
    }
    let named =
      codings.first { ["gzip", "x-gzip"].contains($0.first) } ?? codings.first { $0.first == "*" }
    guard let named else { return false }
    let weights = named.dropFirst().filter { $0.hasPrefix("q=") }
    return weights.allSatisfy { $0.dropFirst(2).contains { ("1"..."9").contains($0) } }
  }
}
