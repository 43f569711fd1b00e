/// Those who wait for the next frame as a JPEG.
struct StillRequests {
  private var waiting: [CheckedContinuation<[UInt8], any Error>] = []

  mutating func add(_ request: CheckedContinuation<[UInt8], any Error>) { waiting.append(request) }

  mutating func give(_ frame: borrowing Frame, by decoder: FrameDecoder) {
    guard !waiting.isEmpty else { return }
    let still: Result<[UInt8], any Error>
    do throws(PictureProblem) { still = .success(try decoder.still(frame)) } catch {
      still = .failure(error)
    }
    end(still)
  }

  /// There will be no frame.
  mutating func fail(_ reason: String) { end(.failure(NoStill(reason: reason))) }

  private mutating func end(_ still: Result<[UInt8], any Error>) {
    let requests = waiting
    waiting = []
    for request in requests { request.resume(with: still) }
  }
}

/// Why there is no still.
package struct NoStill: Error, CustomStringConvertible {
  let reason: String
  package var description: String { reason }
}
