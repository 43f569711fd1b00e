import ControlProtocol

/// The connection on which a phone armed that wants a pause when it is gone. The service pauses when
/// the connection ends: because this ends it, or because this program has ended.
struct PhoneGuards {
  /// A page that is loaded again, or a gap of the Wi-Fi, is no absence. In seconds.
  private static let patience = 5

  private var guarding: (phone: Int, client: ControlClient, absent: Int)?
  /// The phone whose absence has ended the connection in this session: the session goes on with
  /// another one.
  private var gone: Int?

  var isEmpty: Bool { guarding == nil }

  /// The service lets one connection guard, the last: another's end does nothing.
  mutating func begin(phone: Int, _ client: ControlClient) {
    guarding = (phone, client, 0)
    gone = nil
  }

  /// - Parameter other: the phone that goes on.
  /// - Returns: the phone whose absence is to pause from then on, on a connection of its own; nil: no phone's, or
  ///   the connection is there.
  func phone(watching: Set<Int>, else other: Int) -> Int? {
    gone.map { watching.contains($0) ? $0 : other }
  }

  /// To be called once a second.
  ///
  /// - Parameters:
  ///   - watching: the phones that are here.
  ///   - isArmed: whether a session goes on, as far as that is known.
  mutating func look(watching: Set<Int>, isArmed: Bool) {
    if !isArmed { gone = nil }
    guard let (phone, client, absent) = guarding else { return }
    guarding?.absent = watching.contains(phone) ? 0 : absent + 1
    guard absent + 1 >= Self.patience, !watching.contains(phone) else { return }
    client.close()
    guarding = nil
    gone = isArmed ? phone : nil
  }
}
