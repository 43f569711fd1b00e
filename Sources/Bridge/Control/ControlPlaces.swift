import ControlProtocol
import Glibc

/// Which clients of the control socket get a place, and so may do what their role allows, and
/// which are guests, which may only stop.
///
/// A client without a role is a guest. So is a client for which no place is free: stopping is never
/// refused. When there are too many guests, the user with the most guests loses the oldest, so that
/// one user's connections do not push out another user's.
enum ControlPlaces {
  static let count = 160
  /// The places that only operators and technicians get, of all ``count``.
  static let reserved = 16
  /// The most places that one user may have, root too, of all ``count``.
  static let ofOneUser = 64
  static let guests = 32
  /// The most that may be connected.
  static let connections = count + guests

  /// - Parameter placed: the clients that have a place.
  /// - Returns: why there is no place for the newcomer; nil if there is one, or it needs none.
  static func refusal(
    of newcomer: ControlIdentity,
    beside placed: [ControlIdentity]
  ) -> ControlError? {
    guard newcomer.role > .none else { return nil }
    let own = placed.count { $0.user == newcomer.user }
    guard own < ofOneUser else {
      return ControlError(
        .tooMany,
        "this user has \(own) clients connected already: end one of them (a stop is taken here all the same)"
      )
    }
    guard placed.count < count - (newcomer.role >= .operator ? 0 : reserved) else {
      return ControlError(
        .tooMany,
        "\(placed.count) clients are connected already: try again later (a stop is taken here all the same)"
      )
    }
    return nil
  }

  /// - Parameter guests: the connected guests, the oldest first, and whether a stop of theirs
  ///   waits for its outcome.
  /// - Returns: the index of the guest to disconnect; nil if there is room.
  static func leaving(_ guests: [(user: uid_t, isStopping: Bool)]) -> Int? {
    guard guests.count >= Self.guests else { return nil }
    let counts = guests.reduce(into: [:]) { $0[$1.user, default: 0] += 1 }
    let most = counts.values.max()
    let candidates = guests.indices.filter { counts[guests[$0].user] == most }
    return candidates.first { !guests[$0].isStopping } ?? candidates.first
  }
}
