import Host

/// Points that are for somebody else than the bridge.
extension CourtCamera {
  /// A camera doesn't wait, and a point without room is lost. A film that is read fast does.
  func deliver(_ place: FootPoint, by delivery: PointDelivery) {
    guard !delivery.take(place), stream?.source.hasOwnTimes == true else { return }
    pause()
    OneThread.task { [weak self] in
      await delivery.waitForRoom()
      await self?.goOn(with: place, by: delivery)
    }
  }

  private func goOn(with place: FootPoint, by delivery: PointDelivery) {
    guard stream != nil else { return }
    resume()
    deliver(place, by: delivery)
  }
}
