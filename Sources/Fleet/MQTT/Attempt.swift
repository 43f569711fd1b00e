import Host

/// The will asks for more than this.
struct RefusedWill: Error { var grants: MQTTGrants }

/// A connection with one version of MQTT.
final class Attempt {
  let client: MosquittoClient
  let version: MQTTVersion
  /// How long the broker may take to answer, once it may have the first packet.
  let patience: Duration
  let handle: @Sendable (MQTTConnection.Event) -> Void
  let end = FirstAnswer<Void>()
  /// Nil once it has ended.
  var watch: FileWatch?
  /// Whether the broker may have the first packet.
  var isReady = false
  /// Whether messages may be sent.
  var isOpen = false
  var isLeaving = false
  var keepalive: Duration
  /// How many publications the broker has not answered.
  var unacknowledged = 0
  /// What is asked for, by its number.
  var subscriptions: [Int: [String]] = [:]
  /// The numbers of the subscriptions whose refusal is no reason to end.
  var dispensable: Set<Int> = []
  /// When something came last, and when all was sent last.
  var lastIn = ContinuousClock.now
  var lastOut = ContinuousClock.now
  /// What has come in, in bytes, and what had at the last whole packet: MQTT 3.1.1 has no limit, and
  /// libmosquitto none.
  var received = 0
  var receivedBefore = 0

  init(
    _ client: MosquittoClient,
    _ version: MQTTVersion,
    _ patience: Duration,
    keepalive: Duration,
    _ handle: @escaping @Sendable (MQTTConnection.Event) -> Void
  ) {
    self.client = client
    self.version = version
    self.patience = patience
    self.keepalive = keepalive
    self.handle = handle
  }

  @discardableResult
  func use<Value>(
    _ body: (MosquittoClient) throws(MQTTFailure) -> Value
  ) -> Value? {
    do throws(MQTTFailure) { return try body(client) } catch {
      finish(error)
      return nil
    }
  }

  /// The first reason counts; after a farewell there is none.
  func finish(_ failure: any Error) {
    watch = nil
    isOpen = false
    end.give(isLeaving ? .success(()) : .failure(failure))
  }

  func finish(_ code: MQTTFailure.Code, _ text: String) { finish(MQTTFailure(code, text)) }
}
