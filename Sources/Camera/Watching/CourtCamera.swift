import Calibrations
package import Clocks
import ControlProtocol
import CourtMapping
import Glibc
import Host

/// A camera at work: frames in, picture points of the player out, and in doubt nothing.
///
/// A camera that fails, hangs or is unplugged is opened again, for as long as this runs. A phone may
/// take its place, see ``HandedFrames``.
package actor CourtCamera {
  /// Opens what gives frames.
  package typealias Opening = @Sendable () throws(CameraProblem) -> any FrameSource
  package typealias Report = @Sendable (SightRecord) -> Void

  nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let open: Opening
  let settings: CameraSettings
  let clock: any MonotonicClock
  private let delivery: PointDelivery?
  private let report: Report

  private(set) var stream: WatchedSource?
  /// Frames of other programs; nil: there are none.
  var handed: HandedFrames?
  var isTicking = false
  /// When frames of another place were last let in.
  var placedAt = MonotonicInstant.start
  /// What the frames of the open source, or of the last one, have in common; nil before its first one.
  var layout: FrameLayout?
  /// The counts of frames of the sources before the present one.
  private var earlier = FrameCounts()
  private let decoder = FrameDecoder()
  private var small = ColourPicture(width: 0, height: 0)
  private var grey = GreyPicture(width: 0, height: 0)
  var kept: CameraCalibration
  private var calibration: Result<CalibrationFile, CalibrationFileError> { kept.file }
  /// The finder for the frames of the open source or of the last one, or why there is none.
  var finder: Result<PlayerFinder, any Error>?
  /// What the finder's points are in.
  private var picture: SizeLine?
  private var feeder: PictureFeeder?
  var lastFrame = MonotonicInstant.start
  /// The counts of frames at its time.
  private var lastCounts = FrameCounts()
  private var placement = LinePlacement()
  /// How many sources were opened: a check of an earlier one is no check of this one.
  private var openings = 0
  private var reopening: ReopeningPause
  /// Why a source that can't be opened again has failed.
  package private(set) var failure: CameraProblem?
  var rate = FrameRate()
  var news = SightNews(SightRecord(state: .noCamera, reason: "not opened yet"))
  /// One at a time: a picture needs memory and a thread.
  var isChecking = false
  var stills = StillRequests()
  /// What the last still that was given is of.
  var stillPlace: CalibratedPlace?
  /// When a small picture was asked for last.
  var smallPictureTime: MonotonicInstant?
  private var ending: CheckedContinuation<Void, Never>?
  var hasEnded = false

  /// - Parameters:
  ///   - delivery: gets each picture point instead of the bridge; nil: the bridge gets them.
  ///   - report: called when what the camera sees has changed.
  package init(
    _ settings: CameraSettings,
    clock: any MonotonicClock,
    open: @escaping Opening,
    delivery: PointDelivery? = nil,
    report: @escaping Report
  ) {
    self.settings = settings
    self.clock = clock
    self.open = open
    self.delivery = delivery
    self.report = report
    let isFar = settings.source != nil || settings.command != nil
    reopening = ReopeningPause(longest: .seconds(isFar ? 10 : 1))
    kept = CameraCalibration(path: settings.calibration)
  }

  /// Runs until ``end()``, or until a file of frames has ended.
  package func run() async {
    guard !hasEnded else { return }
    let watch = handed.map { handed in
      executor.watch(handed.descriptor.number) { [weak self] in
        self?.assumeIsolated { $0.takeHandedFrames() }
      }
    }
    await withCheckedContinuation { continuation in
      ending = continuation
      begin()
    }
    withExtendedLifetime(watch) {}
    handed = nil
  }

  package func end() {
    hasEnded = true
    close()
    ending?.resume()
    ending = nil
  }

  // MARK: Frames

  func begin() {
    guard !hasEnded, stream == nil else { return }
    guard handed?.choice.isHandedOver != true else { return watchSilence() }
    do throws(CameraProblem) {
      let source = try open()
      try source.start()
      lastFrame = clock.now
      lastCounts = counts
      layout = nil
      stream = WatchedSource(watch: watching(source), source: source)
      openings += 1
      guardSilence(of: openings, for: source.patience)
    } catch {
      fail(error)
    }
  }

  private func watching(_ source: any FrameSource) -> FileWatch {
    executor.watch(source.descriptor.number) { [weak self] in
      self?.assumeIsolated { $0.capture() }
    }
  }

  /// Takes no frames until ``resume()``.
  func pause() { stream?.watch = nil }

  /// Takes frames again. The pause is no silence of the source.
  func resume() {
    guard let source = stream?.source else { return }
    stream?.watch = watching(source)
    lastFrame = clock.now
  }

  /// Frames of another size than before begin.
  func prepare(_ layout: FrameLayout) {
    self.layout = layout
    feeder = PictureFeeder(path: settings.feed)
    placement = LinePlacement()
    let last = try? finder?.get()
    finder = Result { try makeFinder(for: layout, after: last) }
    picture = (try? calibration.get()).map { SizeLine(layout.size, $0.calibration) }
  }

  private func makeFinder(
    for layout: FrameLayout,
    after last: PlayerFinder?
  ) throws -> PlayerFinder {
    let calibration = try kept.fitted(to: layout, stream?.source.offered ?? [])
    guard let size = PictureSize(width: layout.smallWidth, height: layout.smallHeight) else {
      throw ControlError(
        .refused,
        "the picture, \(layout.size), is too small to find a player in"
      )
    }
    var rules = FinderRules()
    rules.refusesSecondPerson = !settings.allowsSecondPerson
    rules.reach = settings.reach
    return PlayerFinder(calibration: calibration, size: size, rules: rules, after: last)
  }

  private func capture() {
    guard let stream else { return }
    do throws(CameraProblem) {
      guard let frame = try stream.source.takeNewest() else {
        if stream.source.hasEnded { end() }
        return
      }
      see(frame, of: .configured)
    } catch {
      fail(error)
    }
  }

  func see(_ frame: borrowing Frame, of place: CalibratedPlace) {
    if place != kept.place {
      // A trial with a file changes no other program's calibrations.
      kept.use(for: place, isService: handed != nil)
      (finder, layout) = (nil, nil)
    }
    if frame.layout != layout { prepare(frame.layout) }
    look(at: frame)
  }

  private func look(at frame: borrowing Frame) {
    let now = clock.now
    lastFrame = now
    lastCounts = counts
    reopening.reset()
    rate.count(at: now)
    stills.give(frame, by: decoder)
    let finder: PlayerFinder
    switch self.finder {
    case nil: return
    case .success(let fitting): finder = fitting
    case .failure(let error):
      let record = SightRecord(state: .nothing, code: "no-calibration", reason: "\(error)")
      return note(record, at: frame.time)
    }
    do throws(PictureProblem) {
      try decoder.readSmall(frame, into: &small)
      // A film that is read fast has its own time.
      if placement.beginsCheck(at: frame.time) {
        try decoder.readGrey(frame, into: &grey)
        if !placement.isPlaced { placement.isPlaced = seesLines(grey, finder.calibration) }
        if placement.isPlaced { finder.check(grey) }
      }
    } catch {
      let record = SightRecord(state: .nothing, code: error.code.rawValue, reason: "\(error)")
      return note(record, at: frame.time)
    }
    guard placement.isPlaced else {
      let isTooDark = finder.isTooDark(small)
      return note(placement.displacement(isTooDark: isTooDark, at: frame.time), at: frame.time)
    }
    switch finder.find(in: small, at: frame.time) {
    case .nothing(let doubt): note(SightRecord(doubt), at: frame.time)
    case .player(let foot, let confidence):
      send(foot, confidence, taken: frame.time)
      note(SightRecord(seenWith: finder.hint), at: frame.time)
    }
  }

  /// While this program did not run, the camera may have been moved: later ``PlayerFinder/check(_:)``
  /// sees to that.
  private func seesLines(_ picture: GreyPicture, _ fitting: Calibration) -> Bool {
    guard case .success(let file) = calibration, let expected = file.lines,
      let share = CourtLines(picture).share(seenBy: fitting)
    else { return true }
    return share >= expected / 2
  }

  /// - Parameter foot: in the frame's pixels.
  private func send(
    _ foot: PicturePoint,
    _ confidence: Double,
    taken: MonotonicInstant
  ) {
    // A film that is read fast is never late, however slow the machine is.
    let now = stream?.source.hasOwnTimes == true ? taken : clock.now
    guard let picture, taken.duration(to: now) <= FrameTimes.oldest else { return }
    let place = FootPoint(point: foot, picture: picture, confidence: confidence, taken: taken)
    if let delivery { deliver(place, by: delivery) } else { feeder?.send(place, at: now) }
  }

  /// The counts of frames of all sources.
  private var counts: FrameCounts {
    let open = stream?.source.counts ?? FrameCounts()
    var counts = earlier + open + (handed?.counts ?? FrameCounts())
    counts.forgiven = decoder.forgiven
    return counts
  }

  // MARK: Failures

  private func fail(_ problem: CameraProblem) {
    let isLast = stream.map { !$0.source.canBeReopened } ?? false
    close()
    note(SightRecord(problem), at: nil)
    guard !isLast else {
      failure = problem
      return end()
    }
    executor.perform(after: reopening.next()) { [weak self] in
      self?.assumeIsolated { $0.begin() }
    }
  }

  func close() {
    if let stream { earlier = earlier + stream.source.counts }
    stream = nil
    rate.stop()
    stills.fail("the camera has failed")
  }

  /// A camera can hang without an error. The patience for its first frame may end with that.
  private func guardSilence(of opening: Int, for time: Duration) {
    executor.perform(after: min(time, .seconds(3))) { [weak self] in
      self?.assumeIsolated { $0.checkSilence(of: opening) }
    }
  }

  private func checkSilence(of opening: Int) {
    guard let stream, opening == openings else { return }
    let source = stream.source
    guard stream.watch != nil else { return guardSilence(of: opening, for: source.patience) }
    let left = source.patience - lastFrame.duration(to: clock.now)
    guard left <= .zero else { return guardSilence(of: opening, for: left) }
    let (damaged, old) = (counts.damaged - lastCounts.damaged, counts.old - lastCounts.old)
    let cause =
      damaged + old == 0
      ? "it has sent no frame for 3 s"
      : "no usable frame for 3 s: \(damaged) damaged, \(old) too old"
    let problem = source.trouble ?? CameraProblem(.streamFailed, source.path, cause)
    guard !source.canBeReopened else { return fail(problem) }
    // More may come.
    note(SightRecord(problem), at: nil)
    guardSilence(of: opening, for: source.patience)
  }

  // MARK: News

  /// - Parameter time: the frame's; nil: the record counts at once.
  func note(_ record: SightRecord, at time: MonotonicInstant?) {
    if news.receive(record, at: time) { report(record) }
  }

  /// Whether a camera is open, or frames are handed over.
  var isStreaming: Bool {
    stream != nil || handed.map { $0.choice.isHandedOver && $0.silence == nil } ?? false
  }

  package var status: CameraStatus {
    let layout = isStreaming ? layout : nil
    return CameraStatus(
      sight: news.sight,
      cameras: sources,
      device: stream?.source.path,
      size: layout.map { [$0.size.width, $0.size.height] },
      format: layout.map { "\($0.pixelFormat)" },
      rate: rate.rounded,
      frames: counts,
      calibration: kept.state,
      feed: CameraStatus.Feed(
        socket: settings.feed,
        sent: feeder?.sent ?? 0,
        reason: feeder?.problem
      )
    )
  }
}
