import ControlProtocol
package import Host

/// Asks the camera's service. It waits on a thread of its own.
package struct CameraClient: Sendable {
  /// A picture of 4K in JPEG has less.
  private static let longestStill = 64 << 20

  package let path: String

  package init(path: String) {
    self.path = path
  }

  package func status() async throws(CameraClientError) -> CameraStatus {
    try await talk { client throws(CameraClientError) in try client.ask("status") }
  }

  /// The camera's next frame, as a JPEG.
  package func still() async throws(CameraClientError) -> [UInt8] {
    try await talk { client throws(CameraClientError) in
      let still: StillRecord = try client.ask("still")
      guard (1...Self.longestStill).contains(still.bytes) else { throw client.strange }
      return try client.bytes(still.bytes)
    }
  }

  package func calibrate(
    _ request: CalibrationRequest
  ) async throws(CameraClientError) -> CameraStatus.CalibrationState {
    try await talk { client throws(CameraClientError) in
      try client.ask("calibrate", request)
    }
  }

  private func talk<Answer: Sendable>(
    _ body: @escaping @Sendable (inout LineClient) throws(CameraClientError) -> Answer
  ) async throws(CameraClientError) -> Answer {
    try await LineClient.talk(to: "the camera's service", path: path, body)
  }
}

/// Why the camera's service did not do what was asked.
package typealias CameraClientError = LineClientError
