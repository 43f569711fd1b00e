import Host

/// Counts the stops that have come in on both sockets, as they are read. A stop overtakes what waits;
/// what was asked before it must not undo it.
package final class StopCount: Sendable {
  private let count = Locked(0)

  package init() {}

  var value: Int { count.withLock(\.self) }

  package func raise() { count.withLock { $0 += 1 } }

  /// A request's place among the stops.
  package struct Mark: Sendable {
    let stops: StopCount
    /// The stops that came before the request.
    let count: Int

    package init(_ stops: StopCount, _ count: Int) {
      self.stops = stops
      self.count = count
    }

    /// Whether a stop has come after the request, or may have.
    var isOvertaken: Bool { stops.value != count }
  }
}
