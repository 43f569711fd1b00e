import CourtLogic
import CourtMapping
import Glibc

/// Tells which blobs may be persons: by the height of a person at that place.
struct CandidateJudge {
  /// A player's height, in metres. From 1.4 to 2.1 m fits well.
  static let height = 1.75
  /// The least height of a person, in pixels of the small picture. Less is too little to judge.
  static let leastHeight = 6.0
  /// How far beyond the reach of play a player who has come from there may be, in metres.
  static let beyond = 1.5
  /// Nearer to the net a person of the machine's half may look like a player.
  static let nearest = 0.2
  /// How much farther from the camera than the lowest part is the ground between both feet, in
  /// metres: the nearer foot is lower in the picture, all the more from the side, since a player who
  /// waits faces the net with the feet apart. Fitted to the scenes that parameters are chosen on.
  static let feet = (anywhere: 0.085, sideways: 0.076)
  /// How much of a shoe's lower edge is too faint to be seen, in pixels of the small picture. Fitted
  /// to the same scenes.
  static let unseen = 0.3

  /// How far around the point between the feet a body is, in heights of a person.
  static let body = (aside: 0.25, above: 1.1, below: 0.15)

  /// How much lower in the picture one foot may be than the other, in heights of a person.
  static let stride = 0.12

  /// Of two persons who hang together, in heights of a person: the least breadth of both, the least height
  /// of each, how far apart they are, and where the feet are; and the greatest height between them, as a
  /// share of the smaller. One player who lunges is as broad, but has one trunk.
  static let pair = (
    breadth: 0.7, high: 0.5, apart: 0.4, feet: (aside: 0.2, above: 0.25), between: 0.45
  )

  /// A ghost's pixels stir less, even where the player runs past it. A running person's do more.
  static let ghostStir = 0.15

  private(set) var candidates: [Candidate] = []

  private let calibration: Calibration
  private let reach: FinderRules.Reach
  /// Pixels of the calibration for one of the small picture.
  let scale: Double
  private var feet: [(court: CourtPoint, blob: Blob)] = []
  /// How many pixels move in each column of a box, and the lowest row of them.
  private var columns: [(count: Int, lowest: Int)] = []

  init(calibration: Calibration, scale: Double, rules: FinderRules) {
    self.calibration = calibration
    self.scale = scale
    reach = rules.reach
    feet.reserveCapacity(BlobScanner.mostBlobs)
    candidates.reserveCapacity(BlobScanner.mostBlobs)
  }

  mutating func judge(
    _ blobs: [Blob],
    _ background: Background,
    _ stirs: StirMeter,
    _ picture: UnsafePointer<UInt8>
  ) {
    candidates.removeAll(keepingCapacity: true)
    add(blobs, background, stirs, picture)
  }

  /// Judges further blobs, as those of a closer look.
  mutating func add(
    _ blobs: [Blob],
    _ background: Background,
    _ stirs: StirMeter,
    _ picture: UnsafePointer<UInt8>
  ) {
    feet.removeAll(keepingCapacity: true)
    for blob in blobs {
      let point = PicturePoint(blob.footU * scale, blob.footV * scale)
      guard let court = calibration.court(point) else { continue }
      feet.append((court, blob))
    }
    for (court, blob) in feet where court.y > Self.nearest && reach.contains(court, Self.beyond) {
      guard let want = wanted(at: court) else { continue }
      let whole = gather(blob, want)
      guard var candidate = shape(whole, want) else { continue }
      candidate.stir = stirs.stirring(in: whole.box, background.mask)
      candidate.lowest = blob.box
      candidate.isPair = isPair(whole.box, want, background)
      // A person in clothes of the court's colour who hides a line looks like a ghost, but stirs.
      if isGhost(candidate, background, stirs, picture) { continue }
      candidates.append(candidate)
    }
  }

  /// Judged by the legs: the rest may be of a player who passes the ghost.
  private func isGhost(
    _ candidate: Candidate,
    _ background: Background,
    _ stirs: StirMeter,
    _ picture: UnsafePointer<UInt8>
  ) -> Bool {
    var legs = candidate.body
    legs.top += legs.height / 2
    guard let legs = legs.clipped(width: background.width, height: background.height) else {
      return false
    }
    return stirs.stirring(in: legs, background.mask) < Self.ghostStir
      && background.isGhost(legs, in: picture)
  }

  private mutating func isPair(_ box: PixelBox, _ want: Double, _ background: Background) -> Bool {
    let pair = Self.pair
    guard Double(box.width) > pair.breadth * want else { return false }
    columns.removeAll(keepingCapacity: true)
    for column in box.left...box.right {
      var (count, lowest) = (0, box.top)
      for row in box.top...box.bottom
      where background.mask[row * background.width + column] == Background.Label.moving {
        (count, lowest) = (count + 1, row)
      }
      columns.append((count, lowest))
    }
    let apart = Int((pair.apart * want).rounded(.up))
    // The highest column so far: a second one has to be as high, after a gap.
    var (first, gap) = (0, Int.max)
    for column in columns.indices {
      let (count, most) = (columns[column].count, columns[first].count)
      if count > most, Double(gap) > pair.between * Double(most) {
        (first, gap) = (column, .max)
        continue
      }
      gap = min(gap, count)
      let less = Double(min(most, count))
      if less > pair.high * want, column - first >= apart, Double(gap) < pair.between * less,
        stands(first, in: box, want), stands(column, in: box, want)
      {
        return true
      }
    }
    return false
  }

  /// Whether there are feet below a column, as low as the box.
  private func stands(_ column: Int, in box: PixelBox, _ want: Double) -> Bool {
    let around = Int(Self.pair.feet.aside * want)
    let lowest =
      columns[max(column - around, 0)...min(column + around, columns.count - 1)]
      .lazy.map(\.lowest).max() ?? box.top
    return Double(box.bottom - lowest) < Self.pair.feet.above * want
  }

  /// How high a person is there, in pixels of the small picture.
  func wanted(at court: CourtPoint) -> Double? {
    guard let height = calibration.pixelsHigh(Self.height, at: court) else { return nil }
    return height / scale > Self.leastHeight ? height / scale : nil
  }

  /// Where in the small picture a person's body is who stands there.
  func body(at court: CourtPoint) -> PixelBox? {
    guard let foot = calibration.picture(court), let want = wanted(at: court) else { return nil }
    let (u, v) = (foot.u / scale, foot.v / scale)
    return PixelBox(
      left: Int(u - Self.body.aside * want),
      right: Int(u + Self.body.aside * want),
      top: Int(v - Self.body.above * want),
      bottom: Int(v + Self.body.below * want)
    )
  }

  /// The blob with the parts of the same person that clothes of the court's colour cut off: what is
  /// above it, and the other leg beside it.
  private func gather(_ blob: Blob, _ want: Double) -> Blob {
    var whole = blob
    var lowest = blob.footV
    for (_, part) in feet where part.box != blob.box {
      let middle = Double(part.box.left + part.box.right + 1) / 2
      let lower = Double(part.box.bottom - blob.box.bottom) / want
      guard abs(middle - blob.footU) < 0.35 * want, lower < Self.stride,
        Double(part.box.top) > Double(blob.box.bottom) - 1.35 * want
      else { continue }
      whole.box.join(part.box)
      whole.area += part.area
      guard lower > -Self.stride else { continue }
      whole.footU = (blob.footU + part.footU) / 2
      lowest = max(lowest, part.footV)
      whole.footV = ((blob.footV + part.footV) / 2 + lowest) / 2
    }
    return whole
  }

  private func shape(_ blob: Blob, _ want: Double) -> Candidate? {
    let (high, wide) = (Double(blob.box.height), Double(blob.box.width))
    let area = Double(blob.area) / (want * want)
    guard high > 0.16 * want, high < 1.7 * want, wide < 1.5 * want, area > 0.02 else { return nil }
    let error = log(high / want) / 0.35
    let shape = exp(-error * error) * min(1, area / 0.16)
    let point = PicturePoint(blob.footU * scale, (blob.footV + Self.unseen) * scale)
    guard let court = calibration.court(point).map(betweenFeet) else { return nil }
    return Candidate(
      court: court,
      shape: shape,
      fit: shape * (0.05 + 0.95 * Self.place(court)),
      area: area,
      box: blob.box,
      body: body(at: court) ?? blob.box,
      lowest: blob.box,
      stir: 0
    )
  }

  private func betweenFeet(_ lowest: CourtPoint) -> CourtPoint {
    guard let camera = calibration.camera else { return lowest }
    let (dx, dy) = (lowest.x - camera.ground.x, lowest.y - camera.ground.y)
    let distance = max(hypot(dx, dy), 0.1)
    let farther = (Self.feet.anywhere + Self.feet.sideways * abs(dx) / distance) / distance
    return CourtPoint(lowest.x + dx * farther, lowest.y + dy * farther)
  }

  /// A person beside the court may be anybody: 1 on it and behind it, less beside it.
  private static func place(_ court: CourtPoint) -> Double {
    let beside = max(0, -court.x - 0.7, court.x - Court.width - 0.7) / 0.9
    let behind = max(0, court.y - 14.5) / 2.5
    return exp(-beside * beside - behind * behind)
  }
}

extension FinderRules.Reach {
  /// - Parameter beyond: so many metres more on each side.
  func contains(_ place: CourtPoint, _ beyond: Double = 0) -> Bool {
    place.x > -aside - beyond && place.x < Court.width + aside + beyond
      && place.y < Court.length + behind + beyond
  }
}
