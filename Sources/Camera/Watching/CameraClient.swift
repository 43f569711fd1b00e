package import Host
import JSON

/// Asks the camera's service. It waits on a thread of its own.
package struct CameraClient: Sendable {
  /// A picture of 4K in JPEG has less.
  private static let longestStill = 64 << 20

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
      guard (1...Self.longestStill).contains(still.bytes) else {
        throw connection.strange
      }
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
    _ read: @escaping @Sendable (inout LineClient) throws(CameraClientError) -> Answer
  ) async throws(CameraClientError) -> Answer {
    try await LineClient.talk(to: "the camera's service", path: path) {
      (connection) throws(CameraClientError) in
      guard let line = try? JSONEncoding.line(request) else { throw connection.strange }
      try connection.send(line)
      return try read(&connection)
    }
  }
}

extension LineClient {
  fileprivate mutating func answer<Answer: Codable & Sendable>() throws(CameraClientError) -> Answer
  {
    guard let answer = JSONAnswer<Answer>(line: try line()) else { throw strange }
    if let error = answer.error { throw LineClientError(.refused, error) }
    guard let result = answer.result else { throw strange }
    return result
  }
}

/// Why the camera's service did not do what was asked.
package typealias CameraClientError = LineClientError
