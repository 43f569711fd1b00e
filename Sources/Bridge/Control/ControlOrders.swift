/// What the thread that serves the control socket wants done, in streams for the tasks that do it.
struct ControlOrders: Sendable {
  let requests = AsyncStream.makeStream(of: ControlCall.self)
  let stops = AsyncStream.makeStream(of: ControlCall.self)
  /// Stops whose outcome is not reported. One that waits stands for all that come until it is
  /// carried out.
  let unreportedStops = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// Clients on which balls may depend have gone.
  let clientsGone = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// True when a client wants the player's positions, false when none does.
  let following = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))

  func start(_ call: ControlCall) { (call.isStop ? stops : requests).continuation.yield(call) }
}
