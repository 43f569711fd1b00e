package import Calibrations
import Clocks
import ControlProtocol
package import CourtMapping
import Host

/// What operators ask for: a picture, and a calibration in its pixels.
extension CourtCamera {
  /// The next frame as a JPEG. It is kept nowhere.
  package func still() async throws -> [UInt8] {
    let still = try await nextPicture(.whole)
    stillPlace = kept.place
    return still
  }

  /// The next frame as a small JPEG, for those who calibrate nothing. It is kept nowhere.
  ///
  /// At most one is made a second: it costs the search for the player some time.
  package func smallPicture() async throws -> [UInt8] {
    if let smallPictureTime, smallPictureTime.duration(to: clock.now) < .seconds(1) {
      throw ControlError.refused("busy", "a picture was made less than a second ago: try again")
    }
    smallPictureTime = clock.now
    return try await nextPicture(.small)
  }

  private func nextPicture(_ size: StillRequests.Size) async throws -> [UInt8] {
    guard isStreaming else { throw NoStill(reason: news.sight.reason ?? "there is no camera") }
    return try await withCheckedThrowingContinuation { stills.add($0, size) }
  }

  /// What points are worth as a calibration, compared with the next frame.
  package func check(_ rough: Calibration, snaps: Bool) async throws -> CalibrationRecord {
    guard !isChecking else {
      throw ControlError.refused(
        "busy",
        "other points are being compared with the picture: try again"
      )
    }
    isChecking = true
    defer { isChecking = false }
    let still = try await nextPicture(.whole)
    // Frames go on meanwhile.
    let draft = try await WaitingThread.value {
      Result { try CalibrationDraft(rough, in: GreyPicture(jpeg: still), snaps: snaps) }
    }.get()
    let file = CalibrationFile(draft.calibration, lines: draft.lines)
    return CalibrationRecord(file, path: settings.calibration)
  }

  /// Writes a calibration that a person has confirmed, and goes on with it.
  package func calibrate(_ file: CalibrationFile) throws {
    // The points are of a picture: a phone that was turned since shows another one.
    guard kept.place == stillPlace || kept.place?.fileName == nil else {
      throw ControlError.refused("turned", "the phone has moved since this picture: take another")
    }
    try kept.keep(file)
    // The camera is where this person says, not where it was before.
    finder = nil
    if let layout { prepare(layout) }
  }
}
