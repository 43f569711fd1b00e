import CourtMapping

/// Recognises a wet court by the player's reflection.
struct WetCourt {
  init(calibration: Calibration, scale: Double, width: Int, height: Int) {}
  mutating func measure(
    _ blobs: [Blob], _ picture: UnsafePointer<UInt8>, _ background: Background, at time: Double
  ) {}
  func isWet(at time: Double) -> Bool { false }
}
