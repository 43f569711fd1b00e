package import BlueZ

/// What the link has left behind at BlueZ, and puts in order before the next attempt.
///
/// A clean-up that fails or is not answered is not repeated: it matters that its answer was awaited.
package struct CleanUp: Hashable, Sendable {
  /// The adapter on which we have, or may have, a discovery session.
  private var scan: ObjectPath?
  /// The device whose link, or pending Connect, must be closed.
  private var link: ObjectPath?
  /// The device that BlueZ is to forget.
  private var removal: ObjectPath?
  /// The device that BlueZ is to forget, unless it is linked by then.
  private var doubted: ObjectPath?
  private var powerCycle: PowerCycle?
  /// Whether all objects must be read again.
  private var mustRefresh = false
  /// Whether only one device's objects are being followed.
  package private(set) var isViewNarrow = false

  /// Switching the adapter off and on, as a last resort.
  private enum PowerCycle: Hashable {
    case off(ObjectPath)
    case on(ObjectPath)
  }

  package init() {}

  // MARK: What is left behind

  package mutating func scanBegins(on adapter: ObjectPath) { scan = adapter }

  /// The device has, or may get, a link that is of no use unless ``keepLink()`` follows.
  package mutating func close(_ device: ObjectPath) { link = device }

  /// The link is good, or it is down: there is nothing to close.
  package mutating func keepLink() { link = nil }

  /// Has BlueZ forget the device and its cached GATT table.
  package mutating func remove(_ device: ObjectPath) { removal = device }

  /// Has BlueZ forget a device that may not be there: what is linked is there.
  package mutating func removeUnlessLinked(_ device: ObjectPath) { doubted = device }

  package mutating func refresh() { mustRefresh = true }

  /// From now on only one device's objects are followed, also if the answer to that is not awaited.
  package mutating func narrowView() { isViewNarrow = true }

  /// Switches the adapter off and on.
  package mutating func cyclePower(of adapter: ObjectPath) { powerCycle = .off(adapter) }

  /// Whether the adapter is off, or will be, because we switch it off and on.
  package var isCyclingPower: Bool { powerCycle != nil }

  /// No attempt follows: only a scan, a link and an adapter that we have switched off are still put in
  /// order.
  ///
  /// - Parameter pending: what BlueZ has not answered yet.
  package mutating func noAttemptFollows(pending: LinkOperation?) {
    removal = nil
    doubted = nil
    mustRefresh = false
    guard case .off = powerCycle else { return }
    if case .setPowered(false, _) = pending { return }
    powerCycle = nil
  }

  // MARK: What is in order again

  /// Drops what new levels show to be gone.
  ///
  /// - Parameters:
  ///   - tree: BlueZ's objects; nil while they are not known.
  ///   - adapter: the one that another attempt would go through.
  package mutating func note(_ tree: ObjectTree?, adapter: Adapter?) {
    if link.flatMap({ tree?.devices[$0] }) == nil { link = nil }
    if removal.flatMap({ tree?.devices[$0] }) == nil { removal = nil }
    if doubted.flatMap({ tree?.devices[$0] })?.isConnected != false { doubted = nil }
    // BlueZ ends discovery sessions with its own life, the adapter's, and the adapter's power.
    if scan.flatMap({ tree?.adapters[$0] })?.isPowered != true { scan = nil }
    // It is of no use any more if the adapter that is to be switched off was a stand-in.
    if case .off(let path) = powerCycle, path != adapter?.path { powerCycle = nil }
    if adapter == nil { powerCycle = nil }
  }

  /// Takes from an answer what holds in every state.
  package mutating func finished(_ operation: LinkOperation, _ error: BlueZError?) {
    // After these errors the operation may still take effect.
    let isRefused = error.map { $0.kind != .timedOut && $0.kind != .inProgress } ?? false
    switch operation {
    // Refused for certain: there is no session. In all other cases there may be one.
    case .startDiscovery: if isRefused { scan = nil }
    case .stopDiscovery: scan = nil
    // Success is a link, no answer may become one, and "in progress" is another program's attempt.
    // All three are closed before another try.
    case .connect: if isRefused { link = nil }
    case .disconnect: link = nil
    case .removeDevice:
      removal = nil
      doubted = nil
      mustRefresh = true
    case .setPowered(false, let adapter): if powerCycle != nil { powerCycle = .on(adapter) }
    case .setPowered(true, _): powerCycle = nil
    case .observe(let scope):
      mustRefresh = false
      isViewNarrow = scope != .everything
    case .openBus: isViewNarrow = false
    case .startService, .trust, .startNotify, .write, .insisting: break
    }
  }

  // MARK: Putting in order

  /// The next operation, the most urgent first; nil when all is in order.
  package func next(in tree: ObjectTree?) -> LinkOperation? {
    if let scan { return .stopDiscovery(adapter: scan) }
    if let link { return .disconnect(link) }
    // It may have been paired with since.
    if let doubted, let device = tree?.devices[doubted], !device.isPaired, !device.isConnected {
      return .removeDevice(doubted, adapter: device.adapter)
    }
    if let removal, let device = tree?.devices[removal], !device.isPaired {
      return .removeDevice(removal, adapter: device.adapter)
    }
    switch powerCycle {
    case .off(let adapter): return .setPowered(false, adapter: adapter)
    case .on(let adapter): return .setPowered(true, adapter: adapter)
    case nil: return mustRefresh ? .observe(.everything) : nil
    }
  }
}
