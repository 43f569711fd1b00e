@testable import Camera

/// Runs a camera and its socket beside the body, and ends both after it.
///
/// - Parameter hasEnded: called once the camera has ended.
func beside(
  _ camera: CourtCamera,
  _ socket: CameraSocket,
  hasEnded: @escaping @Sendable () -> Void = {},
  _ body: () async throws -> Void
) async throws {
  let running = [
    Task.immediate {
      await camera.run()
      hasEnded()
    },
    .immediate { await socket.run() },
  ]
  let failure: (any Error)?
  do {
    try await body()
    failure = nil
  } catch {
    failure = error
  }
  await camera.end()
  for task in running { task.cancel() }
  for task in running { await task.value }
  if let failure { throw failure }
}
