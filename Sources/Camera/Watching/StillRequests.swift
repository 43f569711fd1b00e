/// Those who wait for the next frame as a JPEG.
struct StillRequests {
  enum Size: CaseIterable {
    /// The whole picture.
    case whole
    /// At most ``PictureSocket/longest`` bytes.
    case small
  }

  private typealias Still = Result<[UInt8], any Error>

  private var waiting: [(size: Size, request: CheckedContinuation<[UInt8], any Error>)] = []

  mutating func add(_ request: CheckedContinuation<[UInt8], any Error>, _ size: Size) {
    waiting.append((size, request))
  }

  mutating func give(_ frame: borrowing Frame, by decoder: FrameDecoder) {
    for size in Size.allCases where waiting.contains(where: { $0.size == size }) {
      let still: Still
      do throws(PictureProblem) {
        switch size {
        case .whole: still = .success(try decoder.still(frame))
        case .small:
          still = .success(try decoder.smallStill(frame, longest: PictureSocket.longest))
        }
      } catch {
        still = .failure(error)
      }
      end(still) { $0 == size }
    }
  }

  /// There will be no frame.
  mutating func fail(_ reason: String) { end(.failure(NoStill(reason: reason))) { _ in true } }

  private mutating func end(_ still: Still, _ isMeant: (Size) -> Bool) {
    let requests = waiting
    waiting.removeAll { isMeant($0.size) }
    for request in requests where isMeant(request.size) { request.request.resume(with: still) }
  }
}

/// Why there is no still.
package struct NoStill: Error, CustomStringConvertible {
  let reason: String
  package var description: String { reason }
}
