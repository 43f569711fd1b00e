import Glibc

/// The other end of a ``LineServer``, for a thread that may wait.
package struct LineClient {
  private static let longestLine = 1 << 20
  /// How long an answer may take, in milliseconds: a camera that is being opened again needs
  /// seconds for its next frame.
  private static let timeout: Int32 = 10_000

  private let service: String
  private let path: String
  private let descriptor: FileDescriptor
  private var received: [UInt8] = []

  private init(path: String, of service: String) throws(LineClientError) {
    self.service = service
    self.path = path
    do {
      descriptor = try UnixSocketAddress(path: path).connected()
    } catch {
      let code = (error as? SystemError)?.code
      guard code == EACCES else { throw .unreachable(service, path, "\(error)") }
      throw LineClientError(
        .noPermission,
        "\(path): permission denied: operators are in the group ballmachine-operator"
      )
    }
  }

  /// Connects and talks on a thread of its own.
  ///
  /// - Parameter service: what listens there, as a sentence's subject: `the camera's service`.
  package static func talk<Answer: Sendable>(
    to service: String,
    path: String,
    _ body: @escaping @Sendable (inout LineClient) throws(LineClientError) -> Answer
  ) async throws(LineClientError) -> Answer {
    let result: Result<Answer, LineClientError>
    do throws(SystemError) {
      result = try await WaitingThread.value {
        Result { () throws(LineClientError) in
          var client = try LineClient(path: path, of: service)
          return try body(&client)
        }
      }
    } catch {
      throw .unreachable(service, path, "\(error)")
    }
    return try result.get()
  }

  /// Sends a line and its end.
  package func send(_ line: [UInt8]) throws(LineClientError) {
    do throws(SystemError) {
      try writeAll(line + [UInt8(ascii: "\n")], to: descriptor.number, within: .seconds(5))
    } catch {
      throw lost
    }
  }

  /// The next line, without its end.
  package mutating func line() throws(LineClientError) -> [UInt8] {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeFirst(end + 1) }
        return Array(received.prefix(end))
      }
      guard received.count < Self.longestLine else { throw strange }
      try readMore()
    }
  }

  /// So many bytes that follow.
  package mutating func bytes(_ count: Int) throws(LineClientError) -> [UInt8] {
    while received.count < count { try readMore() }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }

  private mutating func readMore() throws(LineClientError) {
    var waiting = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, Self.timeout) != 0 else {
      throw LineClientError(.silent, "\(service) does not answer (\(path))")
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor.number, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { throw lost }
    received += buffer.prefix(count)
  }

  /// What answers is another service.
  package var strange: LineClientError {
    LineClientError(.strange, "what answers at \(path) is not \(service)")
  }

  private var lost: LineClientError {
    LineClientError(.lost, "\(service) has ended the connection (\(path))")
  }
}

/// Why a service did not do what was asked.
package struct LineClientError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// Nothing listens there.
    case unreachable
    case noPermission
    case silent
    case lost
    /// What answers is another service.
    case strange
    case refused
  }

  package let code: Code
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  fileprivate static func unreachable(
    _ service: String,
    _ path: String,
    _ reason: String
  ) -> LineClientError {
    LineClientError(.unreachable, "\(service) does not run (\(path)): \(reason)")
  }
}
