import CourtLogic

/// Where the camera stands and which way it looks, as far as a picture of the ground tells: for square
/// pixels and a lens whose axis goes through the picture's middle.
package struct CameraPlace: Hashable, Sendable {
  /// The height of the lens above the ground, in metres.
  package let height: Double
  /// Where a plumb line from the lens meets the ground.
  package let ground: CourtPoint
  /// The focal length, in pixels of the calibration's picture.
  package let focalLength: Double
  /// Whether the pixels would be far from square: no usual camera then took the picture.
  package let isUnlikely: Bool

  /// The camera's axes (right, down, ahead) by the court's: a row for x, y and down.
  private let x: SIMD3<Double>
  private let y: SIMD3<Double>
  private let down: SIMD3<Double>
  /// The court's origin in the camera's axes, in metres.
  private let origin: SIMD3<Double>

  /// Focal lengths of usual lenses, in halves of the diagonal: fields of view of 150° to 11°.
  private static let focalLengths = 0.27...10.0
  /// Pixels that are this many times higher than wide, or wider than high, aren't a slip of a few
  /// pixels.
  private static let likelyAspect = 1.25

  /// - Parameters:
  ///   - mapping: of the court to the picture of a perfect lens, in `unit` pixels from its middle;
  ///     positive depth before the camera.
  ///   - unit: half of the picture's diagonal, in pixels.
  /// - Returns: nil if no camera shows the ground like that.
  init?(mapping: Homography, unit: Double) {
    // Columns: the images of the court's x and y axes and of its origin.
    let (u, v, w) = (mapping.u, mapping.v, mapping.w)
    let first = SIMD3(u.x, v.x, w.x)
    let second = SIMD3(u.y, v.y, w.y)
    let third = SIMD3(u.z, v.z, w.z)
    // The axes are at right angles and of equal length; with s = 1 / f², both are linear in s.
    let angle = (first.x * second.x + first.y * second.y, first.z * second.z)
    let lengths = (
      dot(first, first) - first.z * first.z - dot(second, second) + second.z * second.z,
      first.z * first.z - second.z * second.z
    )
    let weight = angle.0 * angle.0 + lengths.0 * lengths.0
    let inverseSquare = -(angle.0 * angle.1 + lengths.0 * lengths.1) / weight
    guard inverseSquare > 0, inverseSquare.isFinite else { return nil }
    let focal = 1 / inverseSquare.squareRoot()
    guard Self.focalLengths.contains(focal) else { return nil }
    let scale = SIMD3(1 / focal, 1 / focal, 1)
    let (rawX, rawY) = (first * scale, second * scale)
    let (lengthX, lengthY) = (dot(rawX, rawX).squareRoot(), dot(rawY, rawY).squareRoot())
    let metres = 2 / (lengthX + lengthY)
    x = rawX / lengthX
    y = rawY / lengthY
    let across = cross(x, y)
    down = across / dot(across, across).squareRoot()
    origin = third * scale * metres
    focalLength = focal * unit
    height = dot(down, origin)
    ground = CourtPoint(-dot(x, origin), -dot(y, origin))
    let ratio = max(lengthX, lengthY) / min(lengthX, lengthY)
    isUnlikely = ratio > Self.likelyAspect || abs(dot(x, y)) > 0.2
    guard height.isFinite, height > 0 else { return nil }
  }

  /// Whether up in the world is more than 30° from up in the picture.
  package var isTilted: Bool {
    let side = (down.x * down.x + down.y * down.y).squareRoot()
    return down.y < 0.866 * side
  }

  /// Where a point above the ground is in the picture of a perfect lens, in pixels from its middle;
  /// nil if it is behind the camera.
  func straight(_ point: CourtPoint, above metres: Double) -> SIMD2<Double>? {
    let place = origin + x * point.x + y * point.y - down * metres
    guard place.z > 0.05 else { return nil }
    return SIMD2(place.x, place.y) * (focalLength / place.z)
  }

  /// “3.0 m high, 8 m behind the baseline, looking at the net”: what a person compares with the
  /// camera. A calibration that fits may still be turned by half: only this shows it.
  package var sentence: String {
    let high = tenths(height)
    return "\(high) m high, \(place), looking \(direction)"
  }

  private var place: String {
    let length = Court.length
    let along: String? =
      switch ground.y {
      case (length + 0.75)...: "\(metres(ground.y - length)) m behind the player's baseline"
      case ..<(-length - 0.75): "\(metres(-length - ground.y)) m behind the machine's baseline"
      default: nil
      }
    let across: String? =
      switch ground.x {
      case (Court.width + 0.75)...:
        "\(metres(ground.x - Court.width)) m right of the right sideline"
      case ..<(-0.75): "\(metres(-ground.x)) m left of the left sideline"
      default: nil
      }
    switch (along, across) {
    case (let along?, let across?): return "\(along) and \(across)"
    case (let along?, nil): return along
    case (nil, let across?): return "\(across), \(level)"
    case (nil, nil): return "above the court, \(level)"
    }
  }

  /// How far from the net, for a camera that is not behind a baseline.
  private var level: String {
    switch ground.y {
    case -0.75...0.75: "level with the net"
    case 0...: "\(metres(ground.y)) m from the net on the player's half"
    default: "\(metres(-ground.y)) m from the net on the machine's half"
    }
  }

  /// From above, the court turned by half looks the same but for this.
  private var baselineSide: String {
    if abs(y.x) > abs(y.y) { y.x > 0 ? "right" : "left" } else { y.y > 0 ? "below" : "above" }
  }

  private var direction: String {
    let ahead = SIMD2(x.z, y.z)
    let size = length(ahead)
    guard size > 0.2 else { return "down; in the picture the player's baseline is \(baselineSide)" }
    // There are eight directions, each a sector of 45°: 22.5° to either side (0.383 is its sine).
    let (right, back) = (ahead.x / size, ahead.y / size)
    let side: String? = right > 0.383 ? "to the right" : right < -0.383 ? "to the left" : nil
    let beyondTheNet = ground.y * back < 0
    let goal: String? =
      abs(back) <= 0.383
      ? nil
      : beyondTheNet
        ? "at the net"
        : back > 0 ? "away from the net, at the player's baseline" : "away from the net"
    switch (goal, side) {
    case (let goal?, let side?): return "\(goal) and \(side)"
    case (let goal?, nil): return goal
    case (nil, let side?): return side + ", as the player sees it"
    case (nil, nil): return "nowhere"
    }
  }
}

/// The number with one digit behind the point below 10, else whole.
private func metres(_ value: Double) -> String {
  value < 9.95 ? tenths(value) : "\(Int(min(value, 999).rounded()))"
}

private func tenths(_ value: Double) -> String {
  let tenths = Int((min(value, 999) * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
