import Glibc
import Host
import JSON

/// Asks the camera's service. It waits on a thread of its own.
package struct CameraClient: Sendable {
  /// A picture of 4K in JPEG has less.
  private static let longestStill = 64 << 20
  /// In milliseconds: a camera that is being opened again needs seconds for its next frame.
  private static let timeout: Int32 = 10_000

  package let path: String

  package init(path: String) {
    self.path = path
  }

  package func status() async throws(CameraClientError) -> CameraStatus {
    try await ask(.status) { connection throws(CameraClientError) in try connection.answer() }
  }

  /// The camera's next frame, as a JPEG.
  package func still() async throws(CameraClientError) -> [UInt8] {
    try await ask(.still) { connection throws(CameraClientError) in
      let still: StillRecord = try connection.answer()
      guard (1...Self.longestStill).contains(still.bytes) else { throw .strange(path) }
      return try connection.bytes(still.bytes)
    }
  }

  package func calibrate(
    _ request: CalibrationRequest
  ) async throws(CameraClientError) -> CameraStatus.CalibrationState {
    try await ask(.calibrate(request)) { connection throws(CameraClientError) in
      try connection.answer()
    }
  }

  private func ask<Answer: Sendable>(
    _ request: CameraRequest,
    _ read: @escaping @Sendable (inout Connection) throws(CameraClientError) -> Answer
  ) async throws(CameraClientError) -> Answer {
    let result: Result<Answer, CameraClientError>
    do {
      result = try await WaitingThread.value {
        Result { () throws(CameraClientError) in
          var connection = try Connection(path)
          try connection.send(request)
          return try read(&connection)
        }
      }
    } catch {
      throw .unreachable(path, "\(error)")
    }
    return try result.get()
  }

  private struct Connection {
    let path: String
    let descriptor: FileDescriptor
    var received: [UInt8] = []

    init(_ path: String) throws(CameraClientError) {
      self.path = path
      do {
        descriptor = try UnixSocketAddress(path: path).connected()
      } catch {
        let code = (error as? SystemError)?.code
        throw code == EACCES ? .noPermission(path) : .unreachable(path, "\(error)")
      }
    }

    func send(_ request: CameraRequest) throws(CameraClientError) {
      do {
        let line = String(decoding: try JSONEncoding.line(request), as: UTF8.self)
        try writeAll(line + "\n", to: descriptor.number, within: .seconds(5))
      } catch {
        throw .lost(path)
      }
    }

    mutating func answer<Answer: Codable & Sendable>() throws(CameraClientError) -> Answer {
      var end = received.firstIndex(of: UInt8(ascii: "\n"))
      while end == nil {
        try readMore()
        end = received.firstIndex(of: UInt8(ascii: "\n"))
      }
      let line = Array(received.prefix(end ?? 0))
      received.removeFirst(line.count + 1)
      guard let value = try? JSONValue(text: line),
        let answer = try? value.decoded(as: CameraAnswer<Answer>.self)
      else { throw .strange(path) }
      if let error = answer.error { throw .refused(error) }
      guard let result = answer.result else { throw .strange(path) }
      return result
    }

    mutating func bytes(_ count: Int) throws(CameraClientError) -> [UInt8] {
      while received.count < count { try readMore() }
      return Array(received.prefix(count))
    }

    private mutating func readMore() throws(CameraClientError) {
      var waiting = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, CameraClient.timeout) != 0 else { throw .silent(path) }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor.number, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      guard count > 0 else { throw .lost(path) }
      received += buffer.prefix(count)
    }
  }
}

/// Why the camera's service did not do what was asked.
package enum CameraClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nothing listens there.
  case unreachable(String, String)
  case noPermission(String)
  case silent(String)
  case lost(String)
  /// What answers is no camera.
  case strange(String)
  case refused(String)

  package var description: String {
    switch self {
    case .unreachable(let path, let reason):
      "the camera's service does not run (\(path)): \(reason)"
    case .noPermission(let path):
      "\(path): permission denied: operators are in the group ballmachine-operator"
    case .silent(let path): "the camera's service does not answer (\(path))"
    case .lost(let path): "the camera's service has ended the connection (\(path))"
    case .strange(let path): "what answers at \(path) is not the camera's service"
    case .refused(let reason): reason
    }
  }
}
