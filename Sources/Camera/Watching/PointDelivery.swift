/// A receiver that gets each picture point instead of the bridge.
package struct PointDelivery: Sendable {
  /// Takes a point; false if there is no room for it now.
  let take: @Sendable (FootPoint) -> Bool
  /// Returns once there is room, or once it is certain that there will be none.
  let waitForRoom: @Sendable () async -> Void

  package init(
    take: @escaping @Sendable (FootPoint) -> Bool,
    waitForRoom: @escaping @Sendable () async -> Void
  ) {
    self.take = take
    self.waitForRoom = waitForRoom
  }
}
