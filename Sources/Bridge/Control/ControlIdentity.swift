import Glibc

/// Who a client of the control socket is, and what that lets it do.
struct ControlIdentity: Hashable {
  let user: uid_t
  let role: ControlRole

  /// Somebody of whom the kernel tells nothing.
  static let unknown = ControlIdentity(user: .max, role: .none)
}
