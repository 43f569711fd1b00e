import Glibc

/// A file descriptor that closes with its last reference. Sending one sends a duplicate.
package final class OwnedFileDescriptor: Hashable, Sendable {
  package let rawValue: Int32

  /// Takes over `rawValue`: no other code may close it.
  package init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    close(rawValue)
  }

  package static func == (left: OwnedFileDescriptor, right: OwnedFileDescriptor) -> Bool {
    left === right
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
