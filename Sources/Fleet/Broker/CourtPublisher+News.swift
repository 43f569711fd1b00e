extension CourtPublisher {
  package enum News: Hashable, Sendable {
    /// The court is this box's.
    case connected
    case failed(MQTTFailure)
    /// The court is another box's.
    case taken(by: String)
    /// The court was another box's, and the broker doesn't know that any more: that one has so long
    /// to come back.
    case waiting(Duration)
    /// A `box` of so many bytes says nothing. An owner, which the court has then, has mended it.
    case unreadable(bytes: Int, isMended: Bool)
    case lacking(BrokerLack)
    /// A message of so many bytes is too long for the broker's packets. It is cut, or else not sent.
    case tooLong(topic: String, bytes: Int, longest: Int, isCut: Bool)
    /// The broker takes no messages on this topic from here, or gives none.
    case forbidden(topic: String, String)
    /// A message that asks for a stop was ignored, and how many have been.
    case ignored(String, count: Int)
    /// A picture was asked for: why there is none, or nil for one that was published.
    case picture(String?)
  }
}
