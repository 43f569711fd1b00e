/// What a broker can't do that a court needs for all that it does.
package enum BrokerLack: Hashable, Sendable {
  /// It keeps no messages.
  case keepsNothing
  /// It acknowledges none.
  case acknowledgesNothing
  /// Its longest packet, in bytes.
  case shortPackets(Int)
  /// It gives subscribers with wildcards none of the messages that it keeps.
  case keepsNothingForWildcards
  /// It ends a connection where others drop a message.
  case endsConnections

  /// A court's longest packet, in bytes.
  package static let longestPacket = CourtPayload.longest + 128

  /// What the broker's first answer says that it lacks.
  package static func all(in grants: MQTTGrants) -> [BrokerLack] {
    var lacks: [BrokerLack] = []
    if !grants.keepsMessages { lacks.append(.keepsNothing) }
    if grants.quality == 0 { lacks.append(.acknowledgesNothing) }
    if let longest = grants.longest, longest < longestPacket {
      lacks.append(.shortPackets(longest))
    }
    return lacks
  }
}

extension BrokerLack: CustomStringConvertible {
  /// What it is and what follows, in a sentence without a full stop.
  package var description: String {
    switch self {
    case .keepsNothing:
      "the broker keeps no messages: an office that connects sees of a court only what it says from then on"
    case .acknowledgesNothing:
      "the broker acknowledges no messages (QoS 0 alone): one can be lost unseen"
    case .shortPackets(let longest):
      "the broker takes packets of \(longest) bytes, and a court's may have \(Self.longestPacket): longer"
        + " ones are cut, or not sent"
    case .keepsNothingForWildcards:
      "the broker gives subscribers with wildcards none of the messages that it keeps: the courts name"
        + " themselves in \(CourtIndex.topic), which the office's table reads"
    case .endsConnections:
      "the broker ends a connection at what it forbids or finds too long: a court that it has cut off"
        + " twice does without Home Assistant's discovery, pictures and \(CourtIndex.topic)"
    }
  }
}
