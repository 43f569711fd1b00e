import Host

/// What a program's connections have learned of a broker, for the next one.
package final class BrokerMemory: Sendable {
  private struct State: Sendable {
    var version: MQTTVersion?
    /// How often in a row it has spoken ``version``.
    var times = 0
    var hasOldName = false
  }

  private let state = Locked(State())

  package init() {}

  /// What the broker spoke last; nil: no connection has come about.
  package var version: MQTTVersion? { state.withLock(\.version) }

  /// Whether the broker's certificate names it as ``OldCertificateName`` has it.
  package var hasOldName: Bool { state.withLock(\.hasOldName) }

  /// The versions in the order in which they are to be tried: 3.1.1 is the first one once 5 has failed twice. A
  /// broker that was starting, or a network that lost packets, may be silent once.
  var versions: [MQTTVersion] {
    state.withLock { $0.version == .v311 && $0.times > 1 } ? [.v311, .v5] : [.v5, .v311]
  }

  func connected(_ version: MQTTVersion, hasOldName: Bool) {
    state.withLock {
      $0.times = $0.version == version ? $0.times + 1 : 1
      ($0.version, $0.hasOldName) = (version, hasOldName)
    }
  }
}
