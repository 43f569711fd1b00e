import CourtMapping

/// Where a camera stands, as far as its frames tell: a calibration is for one such place.
enum CalibratedPlace: Hashable {
  /// The configured camera's.
  case configured
  case phone(id: String, view: String, size: PictureSize)

  /// The name of its calibration's file, in a folder for those of phones; nil of the configured
  /// camera's.
  var fileName: String? {
    guard case .phone(let id, let view, let size) = self else { return nil }
    return "\(id).\(view).\(size.width)x\(size.height).yaml"
  }
}
