package import Clocks
package import CourtMapping

/// Finds the player's foot in a camera's small pictures; in doubt it finds nothing and says why.
///
/// Not Sendable: one thread gives it the frames, oldest first.
package final class PlayerFinder {
  /// The empty court is learnt in so many seconds.
  static let learning = 2.0
  /// How long the background remembers, in seconds: in a quiet picture, in a busy one (cloud edges),
  /// and in one that is different everywhere (the exposure has jumped).
  static let memories = (quiet: 40.0, busy: 5.3, upset: 1.3)
  /// The box of a player who was lost is kept for so long.
  static let keeping = 3.0
  /// The share of the picture up to which it is calm: more motion isn't a player and what else
  /// moves on a court.
  static let calm = 0.02
  /// After too much motion nothing is believed for so long: what was learnt then is wrong.
  static let settling = 1.0

  private let rules: FinderRules
  package let calibration: Calibration
  private let width: Int
  private let height: Int
  private let background: Background
  private let stirs: StirMeter
  private let daylight: Daylight
  private var scanner: BlobScanner
  private var shadow: CastShadow
  private var judge: CandidateJudge
  private var tracker: PlayerTracker
  private var wetness: WetCourt
  private var watch: CameraWatch?
  /// Whether the camera is where it was, as ``check(_:)`` found it last.
  private var placeDoubt: Doubt?
  private var healing: GhostHealing
  private var frames = 0
  private var first: MonotonicInstant?
  private var began = 0.0
  private var last = 0.0
  /// The last time of too much motion, and how much of the picture that was.
  private var upset: (time: Double, share: Double)?

  /// - Parameters:
  ///   - size: the small picture's, about 320 × 180.
  ///   - other: looked through the same camera. If its calibration is the same, the camera must be where
  ///     it was then.
  package init(
    calibration: Calibration,
    size: PictureSize,
    rules: FinderRules = FinderRules(),
    after other: PlayerFinder? = nil
  ) {
    self.calibration = calibration
    self.rules = rules
    width = size.width
    height = size.height
    let scale = Double(calibration.size.width) / Double(size.width)
    background = Background(
      width: width,
      height: height,
      painted: PaintedPixels(calibration: calibration, scale: scale, width: width, height: height)
    )
    stirs = StirMeter(width: width, height: height)
    daylight = Daylight(calibration: calibration, scale: scale, width: width, height: height)
    scanner = BlobScanner(width: width, height: height)
    shadow = CastShadow(pixels: width * height)
    healing = GhostHealing(width: width, height: height)
    judge = CandidateJudge(calibration: calibration, scale: scale, rules: rules)
    tracker = PlayerTracker(calibration: calibration, scale: scale, rules: rules)
    wetness = WetCourt(calibration: calibration, scale: scale, width: width, height: height)
    watch = other?.calibration == calibration ? other?.watch : nil
  }

  /// Looks whether the camera has moved. To be called about once a second.
  ///
  /// - Parameter picture: of the calibration's size. The first one with enough marks in it is what later
  ///   ones are compared with, so the calibration must be true of it.
  package func check(_ picture: GreyPicture) {
    if watch != nil {
      watch?.check(picture)
    } else if picture.width == calibration.size.width, picture.height == calibration.size.height {
      // Marks that weren't pointed to can be recognised as well.
      let marks = CourtMark.allCases.compactMap { calibration.picture($0.point) }
      watch = CameraWatch(reference: picture, marks: marks)
    }
    // Too few marks to watch it by are none to believe in.
    placeDoubt = if let watch { watch.doubt } else { .courtHidden }
  }

  /// What is doubtful of the places that are found.
  package var hint: SightHint? { wetness.mayBeWet ? .mayBeWet : nil }

  /// Whether there is too little light on the court.
  package func isTooDark(_ picture: ColourPicture) -> Bool {
    guard picture.width == width, picture.height == height else { return false }
    return picture.bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map(isTooDark) ?? true
    }
  }

  private func isTooDark(_ picture: UnsafePointer<UInt8>) -> Bool {
    daylight.brightness(picture) < rules.leastBrightness
  }

  package func find(in picture: ColourPicture, at instant: MonotonicInstant) -> Sighting {
    guard picture.width == width, picture.height == height else { return .nothing(.pictureSize) }
    return picture.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, bytes.count == width * height * 3 else {
        return .nothing(.pictureSize)
      }
      // Since the first frame: the same film gives the same sightings to the bit, whenever it is seen.
      let first = first ?? instant
      self.first = first
      return find(base, at: first.duration(to: instant).seconds)
    }
  }

  private func find(_ picture: UnsafePointer<UInt8>, at time: Double) -> Sighting {
    if frames == 0 { (began, last) = (time, time) }
    frames += 1
    update(picture, at: time)
    last = time
    let finding = follow(picture, at: time)
    if let doubt = doubt(picture, at: time) { return .nothing(doubt) }
    switch finding {
    case .nothing(let doubt): return .nothing(doubt)
    case .player(let place, let confidence):
      guard let foot = calibration.picture(place) else { return .nothing(.noPlayer) }
      return .player(foot: foot, confidence: confidence)
    }
  }

  private func update(_ picture: UnsafePointer<UInt8>, at time: Double) {
    stirs.begin(picture)
    let player = kept(tracker.player, at: time)
    let second = kept(tracker.second.track, at: time)
    background.update(picture, rate: rate(at: time), kept: player, second)
  }

  /// The weight of a frame in the background.
  private func rate(at time: Double) -> Float {
    if time - began < Self.learning { return 1 / Float(2 * frames) }
    let memories = Self.memories
    let memory =
      background.unusual > rules.mostMotion
      ? memories.upset : background.unusual > 0.05 ? memories.busy : memories.quiet
    return Float(min(max(time - last, 0.01), 0.5) / memory)
  }

  private func kept(_ track: Track?, at time: Double) -> PixelBox? {
    guard let track, time - track.seen < Self.keeping else { return nil }
    var box = track.box.withMargin
    if let body = judge.body(at: track.place) { box.join(body) }
    return box
  }

  private func follow(_ picture: UnsafePointer<UInt8>, at time: Double) -> PlayerTracker.Finding {
    defer { stirs.end() }
    guard background.moving <= rules.mostMotion else {
      upset = (time, background.moving)
      tracker.reset()
      return .nothing(.tooMuchMotion(share: background.moving))
    }
    shadow.take(from: background, picture, at: time)
    scanner.scan(background.mask)
    healing.heal(scanner.runs, background, picture, stirs, beside: tracker.player, at: time)
    wetness.measure(scanner.blobs, picture, background, beside: healing, at: time)
    // What moves may still be the place that a person has just left.
    guard time - began >= Self.learning else { return .nothing(.learning) }
    judge.judge(scanner.blobs, background, stirs, picture)
    // A second, closer look, where little else moves that might be taken for the player.
    if background.moving < Self.calm, let missed = tracker.missed(judge.candidates, at: time),
      let body = judge.body(at: missed)
    {
      background.complete(body)
      scanner.scan(background.mask, body: body)
      judge.add(scanner.blobs, background, stirs, picture)
    }
    let finding = tracker.step(judge.candidates, at: time)
    if let origin = tracker.leaveOrigin(),
      stirs.stirring(in: origin, background.mask) < CandidateJudge.ghostStir
    {
      background.learn(origin, picture)
    }
    if let player = tracker.player, player.origin != nil {
      tracker.believe(background.isPerson(player.box, in: picture))
      if case .player = finding, tracker.player?.isBelieved == false { return .nothing(.learning) }
    }
    return finding
  }

  /// What forbids to believe any finding.
  private func doubt(_ picture: UnsafePointer<UInt8>, at time: Double) -> Doubt? {
    if let placeDoubt { return placeDoubt }
    if time - began < Self.learning { return .learning }
    if isTooDark(picture) { return .tooDark }
    if let upset, time - upset.time < Self.settling { return .tooMuchMotion(share: upset.share) }
    return wetness.isWet ? .wetCourt : nil
  }
}
