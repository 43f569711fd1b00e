import ControlProtocol
package import Host

/// Gives pictures to those who may see the court and change nothing: `picture.sock`.
///
/// It answers `picture` alone, with the next frame as a small JPEG, whose bytes follow the line of the
/// answer. So a program that passes pictures on needs no right of an operator.
package struct PictureSocket: Sendable {
  package static let name = "picture.sock"
  /// Who may connect besides this program's user: the fleet's client.
  package static let group = "ballmachine-picture"
  /// The longest picture, in bytes: with its topic it is shorter than a message of the shipped broker may be.
  package static let longest = 60_000
  private static let longestRequest = 256

  private enum Method: String, CaseIterable {
    case picture
  }

  private let server: LineServer

  package init(path: String, camera: CourtCamera) throws(UnixSocketError) {
    server = try LineServer(path: path, longest: Self.longestRequest) { line in
      switch try line.method(of: Method.self) {
      case .picture:
        let picture = try await camera.smallPicture()
        return RequestResult(StillRecord(bytes: picture.count), bytes: picture)
      }
    }
    ListeningSocket.open(path, to: Self.group)
  }

  /// Answers until the task is cancelled.
  package func run() async { await server.run() }
}
