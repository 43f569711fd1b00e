/// What goes to the camera's service: never more than a frame and some lines wait.
struct HandoverOutput: Hashable {
  /// For lines beside a frame.
  private static let mostBesides = 4096

  private var waiting: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == waiting.count }

  /// A frame goes only where nothing waits: it would be old.
  ///
  /// - Returns: whether it goes.
  mutating func offer(_ header: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isEmpty else { return false }
    waiting.removeAll(keepingCapacity: true)
    waiting += header
    waiting += bytes
    sent = 0
    return true
  }

  mutating func offer(_ line: [UInt8]) {
    if isEmpty {
      waiting.removeAll(keepingCapacity: true)
      sent = 0
    }
    guard line.count <= Self.mostBesides else { return }
    // A frame's rest may be long, lines behind it may not be many.
    guard waiting.count - sent <= SupplierLine.longestFrame + Self.mostBesides else { return }
    waiting += line
  }

  /// - Parameter write: takes bytes, and returns how many; 0 or less: none for now.
  mutating func flush(_ write: (UnsafeRawBufferPointer) -> Int) {
    while !isEmpty {
      let count = waiting.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      guard count > 0 else { return }
      sent += count
    }
  }
}
