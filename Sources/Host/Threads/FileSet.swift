import CLinux
import Glibc

/// Many files behind one descriptor, which is readable while one of them is ready: for a
/// ``LoopExecutor`` that is to handle some of them a turn, in the order in which they got ready.
///
/// A file leaves the set when it is closed. Regular files can't be in it. Source: epoll(7).
package final class FileSet: Sendable {
  package let descriptor: FileDescriptor

  package init() throws(SystemError) {
    let number = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard number >= 0 else { throw SystemError("open a set of files") }
    descriptor = FileDescriptor(owning: number)
  }

  /// - Parameters:
  ///   - number: what ``ready(atMost:)`` calls the file.
  ///   - events: of `poll`; it always looks for errors and hang-ups.
  /// - Returns: whether the system had room for it.
  package func add(_ file: FileDescriptor, as number: Int, _ events: Int32 = POLLIN) -> Bool {
    control(EPOLL_CTL_ADD, file, number, Int16(events))
  }

  package func remove(_ file: FileDescriptor) { _ = control(EPOLL_CTL_DEL, file, 0, 0) }

  private func control(
    _ operation: Int32,
    _ file: FileDescriptor,
    _ number: Int,
    _ events: Int16
  ) -> Bool {
    // The events have the same numbers as those of `poll`.
    var event = epoll_event(
      events: UInt32(events),
      data: epoll_data_t(u64: UInt64(number))
    )
    return epoll_ctl(descriptor.number, operation, file.number, &event) == 0
  }

  /// The files that are ready; the longest waiting come first, and wait again behind all others.
  package func ready(atMost count: Int) -> [(number: Int, events: Int16)] {
    var events = [epoll_event](repeating: epoll_event(), count: count)
    let count = epoll_wait(descriptor.number, &events, Int32(count), 0)
    return events.prefix(max(Int(count), 0)).map {
      (Int($0.data.u64), Int16(truncatingIfNeeded: $0.events))
    }
  }
}
