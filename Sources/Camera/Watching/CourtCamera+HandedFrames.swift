import Clocks
import CourtMapping
package import Host
import JSON

/// Frames that other programs of this box hand over.
extension CourtCamera {
  /// Lets other programs hand frames over.
  ///
  /// - Parameter configured: what hands the configured camera's frames over; nil: this opens it.
  package func listen(
    at path: String,
    configured: FrameSupplier.Kind? = nil
  ) throws(UnixSocketError) {
    handed = try HandedFrames(
      path: path,
      configured: configured,
      rate: Double(settings.rate),
      clock: clock
    )
  }

  func takeHandedFrames() {
    guard let handed else { return }
    carryOut(handed.takeTurn())
    if let newest = handed.takeNewest(), let supplier = handed.choice.current?.supplier {
      let header = newest.frame.header
      let place: CalibratedPlace =
        supplier.kind == .phone
        ? .phone(id: supplier.id, view: header.view, size: header.layout.size) : .configured
      if place == kept.place || mayMove {
        see(handed.frame(of: newest.frame, taken: newest.time), of: place)
      }
    }
    noteSilence()
  }

  /// Each change of the place exchanges files: a supplier must not make that many.
  private var mayMove: Bool {
    guard placedAt.duration(to: clock.now) >= .seconds(1) else { return false }
    placedAt = clock.now
    return true
  }

  private func carryOut(_ changes: [HandedFrames.Change]) {
    for change in changes {
      close()
      layout = nil
      if change == .begun { watchSilence() } else { begin() }
    }
  }

  /// While frames are handed over, their silence is looked for.
  func watchSilence() {
    noteSilence()
    guard !isTicking else { return }
    isTicking = true
    executor.perform(after: .seconds(1)) { [weak self] in
      self?.assumeIsolated {
        $0.isTicking = false
        if !$0.hasEnded, $0.handed?.choice.isHandedOver == true { $0.watchSilence() }
      }
    }
  }

  private func noteSilence() {
    guard let word = handed?.silence else { return }
    rate.stop()
    stills.fail(word.reason)
    note(SightRecord(state: .noCamera, code: word.code, reason: word.reason), at: nil)
  }

  /// What can be the camera, the configured one first.
  package var sources: [CameraSource] {
    let phone = handed?.choice.phone?.supplier
    let (kind, name) = settings.configured
    let configured = source(kind, stream?.source.path ?? name, of: nil, restsFor: phone?.name)
    return [configured] + (phone.map { [source(.phone, $0.name, of: $0.id, restsFor: nil)] } ?? [])
  }

  private func source(
    _ kind: CameraSource.Kind,
    _ name: String,
    of id: String?,
    restsFor phone: String?
  ) -> CameraSource {
    let isSilent = news.sight.state == .noCamera
    var source = CameraSource(
      kind: kind,
      name: name,
      id: id,
      isUsed: phone == nil,
      state: phone != nil ? .rests : isSilent ? .silent : .frames
    )
    if let phone { source.reason = SupplierWord.rests(for: phone).reason }
    guard source.isUsed else { return source }
    if isSilent { (source.code, source.reason) = (news.sight.code, news.sight.reason) }
    guard let layout else { return source }
    source.last = (lastFrame.duration(to: clock.now) / .seconds(1)).rounded(places: 1)
    source.size = [layout.size.width, layout.size.height]
    source.format = "\(layout.pixelFormat)"
    source.rate = rate.rounded
    return source
  }

  /// Ends a phone's turn, if there is one.
  package func useConfigured() {
    if let handed { carryOut(handed.useConfigured()) }
  }
}
