import Host

/// What a program's connections have learned of a broker, for the next one: it begins with what has
/// worked last.
package final class BrokerMemory: Sendable {
  private struct State: Sendable {
    var version: MQTTVersion?
    var hasOldName = false
  }

  private let state = Locked(State())

  package init() {}

  /// What the broker spoke last; nil: no connection has come about.
  package var version: MQTTVersion? { state.withLock(\.version) }

  /// Whether the broker's certificate names it as ``OldCertificateName`` has it.
  package var hasOldName: Bool { state.withLock(\.hasOldName) }

  /// The versions in the order in which they are to be tried.
  var versions: [MQTTVersion] { version == .v311 ? [.v311, .v5] : [.v5, .v311] }

  func connected(_ version: MQTTVersion, hasOldName: Bool) {
    state.withLock { $0 = State(version: version, hasOldName: hasOldName) }
  }
}
