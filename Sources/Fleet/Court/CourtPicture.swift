import ControlProtocol
package import Host

/// A picture of the court, as the camera's service gives it.
package enum CourtPicture {
  /// The longest one, in bytes: with its topic, that is less than the shipped broker takes.
  package static let longest = 60_000

  private struct Answer: Decodable {
    let bytes: Int
  }

  /// Asks for the camera's next frame, as a JPEG.
  ///
  /// - Parameter path: of the camera's `picture.sock`.
  package static func take(at path: String) async throws(LineClientError) -> [UInt8] {
    do throws(LineClientError) {
      return try await LineClient.talk(to: "the camera's service", path: path) {
        (client) throws(LineClientError) in
        let answer: Answer = try client.ask("picture")
        guard (1...longest).contains(answer.bytes) else { throw client.strange }
        return try client.bytes(answer.bytes)
      }
    } catch {
      guard error.code == .noPermission else { throw error }
      let group = "the user ballmachine-mqtt must be in the group ballmachine-picture"
      throw LineClientError(.noPermission, "\(path): permission denied: \(group)")
    }
  }
}
