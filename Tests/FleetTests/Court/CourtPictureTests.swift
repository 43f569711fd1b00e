import ControlProtocol
import Fleet
import Glibc
import Host
import JSON
import TestSupport
import Testing

/// What asks the camera's service for a picture.
@Suite(.mustEnd) struct CourtPictureTests {
  private struct Announced: Encodable {
    var bytes: Int
  }

  /// What the service says, and what comes of it.
  private func take(
    _ answer: @escaping @Sendable () throws -> RequestResult
  ) async throws -> Result<[UInt8], LineClientError> {
    let folder = try TemporaryDirectory()
    let path = folder("picture.sock")
    let server = try LineServer(path: path, longest: 256) { line in
      guard line.method == "picture" else { throw ControlError(.methodNotFound, line.method) }
      return try answer()
    }
    let running = Task { await server.run() }
    defer { running.cancel() }
    do throws(LineClientError) { return .success(try await CourtPicture.take(at: path)) } catch {
      return .failure(error)
    }
  }

  @Test func itIsTheCamerasAnswer() async throws {
    let picture = (0..<CourtPicture.longest).map { UInt8(truncatingIfNeeded: $0) }
    let taken = try await take { RequestResult(Announced(bytes: picture.count), bytes: picture) }
    #expect(try taken.get() == picture)
  }

  @Test(arguments: [CourtPicture.longest + 1, 0, -1]) func oneOfAnotherLengthIsNone(
    _ length: Int
  ) async throws {
    let taken = try await take { RequestResult(Announced(bytes: length)) }
    #expect(throws: LineClientError.self) { try taken.get() }
  }

  @Test func aRefusalSaysWhy() async throws {
    let taken = try await take { throw ControlError.refused("noCamera", "the lens cap is on") }
    let error = #expect(throws: LineClientError.self) { try taken.get() }
    #expect("\(error, default: "")".contains("the lens cap is on"))
  }

  @Test func withoutACameraItSaysWhatIsMissing() async throws {
    let folder = try TemporaryDirectory()
    let error = await #expect(throws: LineClientError.self) {
      try await CourtPicture.take(at: folder("picture.sock"))
    }
    #expect("\(error, default: "")".contains("the camera's service does not run"))
  }
}
