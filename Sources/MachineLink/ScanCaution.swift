package import BlueZ
package import Clocks

/// What is known of scans in which bluetoothd ended, and what that calls for.
///
/// bluetoothd serves every program of the box. Where it ended in a scan of ours, the next scan asks it for
/// less, and comes later each time. On the bus a person who restarts it looks the same as a crash, so this is
/// no verdict, only a delay, and what is told is what was seen.
package struct ScanCaution: Hashable, Sendable {
  /// What a scan asks bluetoothd to sift out: the most first.
  package enum Form: Int, Hashable, Sendable, CaseIterable {
    /// All but one name or address.
    case named
    /// What does not advertise over LE.
    case everything
    /// Nothing: no filter is set.
    case unfiltered
  }

  private struct Scan: Hashable {
    var owner: String?
    var version: String?
    var form: Form
    var adapter: ObjectPath
    /// When the bus said that no answer comes: what ended bluetoothd shows soon after that, or it lives.
    var unansweredSince: MonotonicInstant?
  }

  /// From the last end to the next scan, by how many there were lately.
  package static let delays: [Duration] = [.seconds(5), .seconds(30), .seconds(120), .seconds(300)]
  /// How long an end counts. Longer than the longest delay, or that would never come.
  package static let memory = Duration.seconds(1800)
  /// How long after the bus's word that no answer comes the owner's change may show.
  private static let changeShows = Duration.seconds(2)

  /// The scan that is on, is being begun or is being stopped.
  private var scan: Scan?
  private var ends: [MonotonicInstant] = []
  /// The version of the bluetoothd that ended last; nil if it isn't known.
  private var version: String?
  private var least = Form.named

  package init() {}

  // MARK: What it calls for

  /// The form in which a scan is made that would usually have this one.
  package func form(insteadOf usual: Form, at now: MonotonicInstant) -> Form {
    guard count(at: now) > 0, least.rawValue > usual.rawValue else { return usual }
    return least
  }

  /// The first instant at which a scan may begin; nil if there is nothing to wait for.
  package func nextScan(at now: MonotonicInstant) -> MonotonicInstant? {
    let count = count(at: now)
    guard count > 0, let last = ends.last else { return nil }
    let instant = last.advanced(by: Self.delays[min(count, Self.delays.count) - 1])
    return instant > now ? instant : nil
  }

  /// What to tell of the last end; nil if none is remembered.
  package func lastEnd(at now: MonotonicInstant) -> ServiceEnd? {
    let count = count(at: now)
    return count > 0 ? ServiceEnd(version: version, times: count) : nil
  }

  private func count(at now: MonotonicInstant) -> Int {
    ends.count { $0.duration(to: now) < Self.memory }
  }

  // MARK: What happens

  package mutating func scanBegins(_ form: Form, on adapter: ObjectPath, in levels: BlueZState) {
    scan = Scan(
      owner: levels.owner,
      version: levels.tree?.daemonVersion,
      form: form,
      adapter: adapter
    )
  }

  /// Takes an answer to any operation.
  package mutating func finished(
    _ operation: LinkOperation,
    _ error: BlueZError?,
    at now: MonotonicInstant
  ) {
    switch operation {
    case .startDiscovery:
      switch error?.kind {
      case nil, .timedOut, .inProgress: break
      case .noReply: scan?.unansweredSince = now
      default: scan = nil
      }
    case .stopDiscovery:
      if error?.kind == .noReply { scan?.unansweredSince = now } else { scan = nil }
    default: break
    }
  }

  /// Takes new levels.
  ///
  /// - Returns: whether bluetoothd has ended in our scan.
  package mutating func note(_ levels: BlueZState, at now: MonotonicInstant) -> Bool {
    if let version, let present = levels.tree?.daemonVersion, present != version { forget() }
    guard let scan else { return false }
    guard levels.isBusConnected else {
      // It is the bus that has gone.
      self.scan = nil
      return false
    }
    if levels.owner == scan.owner {
      // A scan ends, too, when its adapter loses power.
      if let tree = levels.tree, tree.adapters[scan.adapter]?.isPowered != true { self.scan = nil }
      return false
    }
    self.scan = nil
    if let since = scan.unansweredSince, since.duration(to: now) > Self.changeShows { return false }
    if scan.version != version { forget() }
    ends = ends.filter { $0.duration(to: now) < Self.memory }
    if ends.isEmpty { least = .named }
    ends.append(now)
    version = scan.version
    let lesser = Form(rawValue: scan.form.rawValue + 1) ?? scan.form
    if lesser.rawValue > least.rawValue { least = lesser }
    return true
  }

  private mutating func forget() {
    ends = []
    version = nil
    least = .named
  }
}

/// An end of bluetoothd in a scan of ours.
package struct ServiceEnd: Hashable, Sendable {
  /// The version of bluetoothd, such as `5.87`; nil if it isn't known.
  package var version: String?
  /// How often, in the last half hour.
  package var times: Int

  package init(version: String?, times: Int = 1) {
    self.version = version
    self.times = times
  }

  var reason: String {
    let name = version.map { "bluetoothd \($0)" } ?? "bluetoothd"
    return "\(name) ended during a scan" + (times > 1 ? ", \(times) times in half an hour" : "")
  }

  var remedy: String {
    BlueZDefect.advice(afterEndOf: version)
      + "; `systemctl start bluetooth` starts it if it stays down"
  }
}
