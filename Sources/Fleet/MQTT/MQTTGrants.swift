/// What a broker grants to a connection, by its first answer. One of MQTT 3.1.1 says nothing of it.
package struct MQTTGrants: Hashable, Sendable {
  /// Whether it keeps messages for those who come later: MQTT's "retain available".
  package var keepsMessages: Bool
  /// The greatest quality of service that it takes: 0, 1 or 2.
  package var quality: Int
  /// The longest packet that it takes, in bytes; nil: it names none.
  package var longest: Int?
  /// The keepalive that it asks for, in seconds; nil: the client's.
  package var keepalive: Int?

  package init(
    keepsMessages: Bool = true,
    quality: Int = 2,
    longest: Int? = nil,
    keepalive: Int? = nil
  ) {
    self.keepsMessages = keepsMessages
    self.quality = quality
    self.longest = longest
    self.keepalive = keepalive
  }

  /// A packet's bytes beside topic and payload. libmosquitto counts a byte too few, and aborts over that.
  private static let header = 16

  /// How many bytes a message on this topic may have; nil: as many as it
  /// likes; below 0: there can be none.
  package func room(on topic: String) -> Int? {
    longest.map { $0 - topic.utf8.count - Self.header }
  }

  /// Whether the message is short enough.
  package func takes(_ message: MQTTMessage) -> Bool {
    let count = message.topic.utf8.count + message.payload.count + Self.header
    return longest.map { count <= $0 } ?? true
  }

  /// What both grant of a will.
  func limited(by other: MQTTGrants) -> MQTTGrants {
    var both = self
    both.keepsMessages = keepsMessages && other.keepsMessages
    both.quality = min(quality, other.quality)
    return both
  }

  /// The message as the broker takes it.
  func fit(_ message: MQTTMessage) -> MQTTMessage {
    var message = message
    message.isRetained = message.isRetained && keepsMessages
    return message
  }
}
