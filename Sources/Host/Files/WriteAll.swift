import Glibc

/// Writes all of `text`, despite interruptions and full pipes.
///
/// - Parameters:
///   - timeout: how long to wait in all for a reader that takes nothing, before the error
///     `ETIMEDOUT`; nil: for ever.
///   - attempt: what errors say was tried.
package func writeAll(
  _ text: String,
  to descriptor: Int32,
  within timeout: Duration? = nil,
  _ attempt: String = "write"
) throws(SystemError) {
  try writeAll(Array(text.utf8), to: descriptor, within: timeout, attempt)
}

/// Writes bytes, all of them, as the function above writes text.
package func writeAll(
  _ bytes: [UInt8],
  to descriptor: Int32,
  within timeout: Duration? = nil,
  _ attempt: String = "write"
) throws(SystemError) {
  let deadline = timeout.map { ContinuousClock.now + $0 }
  var rest = bytes[...]
  while !rest.isEmpty {
    if let deadline { try waitForRoom(in: descriptor, until: deadline, attempt) }
    // With a deadline, only as much as a ready pipe takes without blocking.
    let piece = deadline == nil ? rest : rest.prefix(512)
    let count = piece.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      // Another program shares this terminal and made it non-blocking.
      try waitForRoom(in: descriptor, until: deadline, attempt)
    } else if errno != EINTR {
      throw SystemError(attempt)
    }
  }
}

/// - Parameter deadline: nil waits for ever.
private func waitForRoom(
  in descriptor: Int32,
  until deadline: ContinuousClock.Instant?,
  _ attempt: String
) throws(SystemError) {
  var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) / .milliseconds(1) }
  let ready = poll(&waiting, 1, left.map { Int32($0.rounded(.up)) } ?? -1)
  if ready == 0 { throw SystemError(attempt, code: ETIMEDOUT) }
}
