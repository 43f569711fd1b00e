/// A message on a broker.
package struct MQTTMessage: Hashable, Sendable {
  /// How sure it is that a message arrives: MQTT's quality of service.
  package enum Quality: Int32, Hashable, Sendable {
    /// Nothing is acknowledged: it is lost with a connection that ends, and a broker that drops it does
    /// not say so.
    case atMostOnce = 0
    /// It is acknowledged, and may come twice.
    case atLeastOnce = 1
  }

  package var topic: String
  package var payload: [UInt8]
  /// Sent: whether the broker keeps it for those who come later. Received: whether it was kept.
  package var isRetained: Bool
  package var quality: Quality

  package init(
    _ topic: String,
    _ payload: [UInt8],
    isRetained: Bool = false,
    quality: Quality = .atLeastOnce
  ) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.quality = quality
  }
}
