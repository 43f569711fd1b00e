package import BlueZ

/// Why an adapter can't serve, or will hardly do so.
package enum AdapterDefect: Hashable, Sendable {
  /// The adapter's address is all zero: its set-up failed, and it may be shown as on all the same.
  case noAddress
  /// The adapter is off, and rfkill blocks it.
  case blocked(RadioSwitch.Block)
  /// BlueZ refused to switch it on.
  case wontPowerOn(BlueZError)
  /// BlueZ refused to scan on it.
  case cantScan(BlueZError)
  /// The adapter can't connect to machines: it has no Bluetooth Low Energy, or only the other role.
  case noCentralRole

  /// What is wrong with it, as a clause.
  package var reason: String {
    switch self {
    case .noAddress: "it has no address of its own, so its set-up has failed"
    case .blocked(.soft): "rfkill blocks it"
    case .blocked(.hard): "a switch or key on the box blocks it"
    case .wontPowerOn(let error): "it can't be switched on (\(error))"
    case .cantScan(let error) where error.kind == .notSupported:
      "it can't scan for Bluetooth Low Energy devices (\(error))"
    case .cantScan(let error): "scanning on it fails (\(error))"
    case .noCentralRole: "it lacks the LE central role"
    }
  }

  /// How far it is from serving: of several that can't, the least is tried.
  fileprivate var severity: Int {
    switch self {
    case .noAddress: 1
    case .blocked: 2
    case .wontPowerOn: 3
    case .cantScan: 4
    case .noCentralRole: 5
    }
  }

  var isAboutPower: Bool {
    if case .wontPowerOn = self { true } else { false }
  }
}

/// Which of BlueZ's adapters serves, and why others don't: for the link, a scan and a diagnosis alike.
package struct AdapterChoice: Hashable, Sendable {
  /// An adapter that would have come first or next, but can't serve.
  package struct PassedOver: Hashable, Sendable {
    package let adapter: Adapter
    package let defect: AdapterDefect

    package var name: String { adapter.name }
    package var address: String { "\(adapter.address)" }
  }

  /// Nil if there is none, or not the one that it must be.
  package private(set) var adapter: Adapter?
  /// What is wrong with the chosen one: then none that may be used is better.
  package private(set) var defect: AdapterDefect?
  package private(set) var passedOver: [PassedOver] = []

  /// - Parameters:
  ///   - adapters: in the order of their paths.
  ///   - given: the configured one; nil for any.
  ///   - pinned: the one that is used already, which counts if none is given.
  ///   - inUse: what an attempt or a link goes through stays while it is on, whatever else comes.
  ///   - allowsOther: whether another one may serve while that one is missing or can't.
  ///   - knowing: the address of the one that knows the machine from an earlier link.
  ///   - wakesKnowing: whether that one is taken also while it is off, to be switched on.
  ///   - kernel: what the kernel says of them; nil where it is not to be asked.
  ///   - learned: what trying them has shown.
  package init(
    among adapters: [Adapter],
    given: AdapterReference?,
    pinned: AdapterReference? = nil,
    inUse: ObjectPath? = nil,
    allowsOther: Bool,
    knowing: BluetoothAddress?,
    wakesKnowing: Bool,
    kernel: KernelView?,
    learned: [ObjectPath: AdapterDefect] = [:]
  ) {
    let wanted = given ?? pinned
    let judged = adapters.map { adapter in
      (adapter: adapter, defect: Self.judge(adapter, kernel: kernel, learned: learned))
    }
    let ranked = judged.enumerated().compactMap { offset, candidate in
      let (adapter, defect) = candidate
      let isWanted = wanted?.means(adapter) != false
      guard isWanted || allowsOther else { return nil as (rank: [Int], Judged)? }
      let use =
        switch (adapter.address == knowing, adapter.isPowered) {
        case (true, true): 0
        case (true, false) where wakesKnowing: 1
        case (_, true): 2
        case (_, false): 3
        }
      let isInUse = adapter.path == inUse && adapter.isPowered
      let severity = defect?.severity ?? 0
      return (rank: [isInUse ? 0 : 1, severity, isWanted ? 0 : 1, use, offset], candidate)
    }
    let best = ranked.min { $0.rank.lexicographicallyPrecedes($1.rank) }?.1
    adapter = best?.adapter
    defect = best?.defect
    // If one is configured, the others are not reported.
    guard given == nil || allowsOther else { return }
    passedOver = judged.compactMap { adapter, defect in
      guard let defect, adapter.path != best?.adapter.path else { return nil }
      return PassedOver(adapter: adapter, defect: defect)
    }
  }

  private typealias Judged = (adapter: Adapter, defect: AdapterDefect?)

  private static func judge(
    _ adapter: Adapter,
    kernel: KernelView?,
    learned: [ObjectPath: AdapterDefect]
  ) -> AdapterDefect? {
    // What BlueZ doesn't say is no defect.
    if adapter.roles?.contains("central") == false { return .noCentralRole }
    if let defect = learned[adapter.path] { return defect }
    if !adapter.isPowered, let block = kernel?.block(of: adapter) { return .blocked(block) }
    return adapter.address.isZero ? .noAddress : nil
  }
}

extension Adapter {
  /// Whether another program's scan is on, whose results BlueZ shows all programs: it refuses to begin ours
  /// while it is busy with that one, or has lost track of it.
  func showsOthersScan(despite error: BlueZError) -> Bool {
    guard isDiscovering else { return false }
    return switch error.kind {
    case .inProgress, .busy, .other: true
    default: false
    }
  }
}

extension LinkConfiguration {
  /// The adapter that a link would use which begins now.
  ///
  /// - Parameters:
  ///   - kernel: what the kernel says of them; nil where it is not to be asked.
  ///   - learned: what trying them has shown.
  package func adapter(
    in tree: ObjectTree,
    kernel: KernelView?,
    learned: [ObjectPath: AdapterDefect] = [:]
  ) -> AdapterChoice {
    AdapterChoice(
      among: tree.adaptersInOrder,
      given: adapter,
      allowsOther: allowsOtherAdapter,
      knowing: knowingAdapter(isSimulated: tree.isSimulated),
      wakesKnowing: true,
      kernel: kernel,
      learned: learned
    )
  }
}
