import Clocks

/// How long a client waits before it tries its broker again.
///
/// Where no broker is, a try is a look-up and one packet, and nothing else than the tries shows that the
/// broker is back: as after a power failure, where the broker starts up more slowly than the boxes. So
/// such waits stay short. A broker that is there, and does not let the client in, has work with each
/// try, mostly in vain: such waits grow long.
package struct BrokerBackOff: Hashable, Sendable {
  /// A connection that lasts so long, from the broker's answer on, was no failure.
  private static let steady = Duration.seconds(10)
  /// 8 s at most.
  private var absence = BackOff(from: .seconds(1), to: .seconds(5), jitter: 0.6)
  /// 90 s at most.
  private var refusal = BackOff(from: .seconds(1), to: .seconds(60), jitter: 0.5)

  package init() {}

  /// The wait before the next try.
  ///
  /// - Parameters:
  ///   - code: why the last try, or its connection, has ended; nil: the client ended it.
  ///   - time: how long it took. If nothing answered, that was time waited.
  package mutating func next(
    after code: MQTTFailure.Code?,
    lasting time: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> Duration {
    switch code {
    case .unknownHost, .unreachable: max(.zero, absence.next(using: &generator) - time)
    default: refusal.next(using: &generator)
    }
  }

  /// A connection has ended. One that lasted resets the waits; a broker that lets a client in and soon hangs up
  /// does not.
  ///
  /// - Parameter time: since the broker's answer; nil: it has given none.
  /// - Returns: whether the connection lasted.
  @discardableResult
  package mutating func ended(after time: Duration?) -> Bool {
    guard let time, time >= Self.steady else { return false }
    absence.reset()
    refusal.reset()
    return true
  }
}
