import ControlProtocol

/// The connection on which a phone armed that wants a pause when it is gone. The service pauses when
/// the connection ends: because this ends it, or because this program has ended.
struct PhoneGuards {
  /// A page that is loaded again, or a gap of the Wi-Fi, is no absence. In seconds.
  private static let patience = 5

  private var guarding: (phone: Int, client: ControlClient, absent: Int)?

  var isEmpty: Bool { guarding == nil }

  /// The service lets one connection guard, the last: another's end does nothing.
  mutating func begin(phone: Int, _ client: ControlClient) { guarding = (phone, client, 0) }

  /// To be called once a second.
  ///
  /// - Parameter watching: the phones that are here.
  mutating func look(watching: Set<Int>) {
    guard let (phone, client, absent) = guarding else { return }
    guarding?.absent = watching.contains(phone) ? 0 : absent + 1
    guard absent + 1 >= Self.patience, !watching.contains(phone) else { return }
    client.close()
    guarding = nil
  }
}
