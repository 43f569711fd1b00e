import Host

/// Delivery of points to a receiver other than the bridge.
extension CourtCamera {
  /// If the receiver has no room, a camera's point is dropped. A film that is read as fast as it can be worked
  /// on is paused instead, until there is room for the point.
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
