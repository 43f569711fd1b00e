import Calibrations
import ControlProtocol
import CourtMapping
import Host

/// The calibration of the camera whose frames are looked at.
struct CameraCalibration {
  /// The file that is in use.
  let path: String
  private(set) var file: Result<CalibrationFile, CalibrationFileError>
  /// Whose it is; nil before the first frame.
  private(set) var place: CalibratedPlace?

  init(path: String) {
    self.path = path
    file = Self.load(path)
  }

  private static func load(_ path: String) -> Result<CalibrationFile, CalibrationFileError> {
    Result { () throws(CalibrationFileError) in try CalibrationFile(path: path) }
  }

  /// Frames of a place begin.
  ///
  /// - Parameter isService: whether the files are this program's to exchange.
  mutating func use(for place: CalibratedPlace, isService: Bool) {
    self.place = place
    if isService { file = KeptCalibrations(path: path).use(for: place) }
  }

  /// - Throws: if it isn't confirmed, or can't be written.
  mutating func keep(_ file: CalibrationFile) throws {
    try file.requireConfirmation(at: path)
    try KeptCalibrations(path: path).keep(file, for: place ?? .configured)
    self.file = Self.load(path)
  }

  /// It, if a person has confirmed it.
  private var usable: Result<CalibrationFile, CalibrationFileError> {
    file.flatMap { file in
      Result { () throws(CalibrationFileError) in
        try file.requireConfirmation(at: path)
        return file
      }
    }
  }

  var state: CameraStatus.CalibrationState {
    let file = try? file.get()
    let problem: String? = if case .failure(let error) = usable { "\(error)" } else { nil }
    return CameraStatus.CalibrationState(
      file: path,
      camera: file?.calibration.sentence,
      made: file?.time?.iso8601,
      reason: problem
    )
  }

  /// - Parameter offered: other sizes that the camera has.
  /// - Returns: it in the pixels of these frames, which may be larger or smaller than its own.
  func fitted(to layout: FrameLayout, _ offered: [PictureSize]) throws -> Calibration {
    let calibration = try usable.get().calibration
    let (size, calibrated) = (layout.size, calibration.size)
    guard size.hasShape(of: calibrated) else {
      // The bridge refuses points of such a picture, too.
      throw ControlError(.refused, calibrated.isOtherShape(size, offered))
    }
    return try calibration.scaled(to: size)
  }
}
