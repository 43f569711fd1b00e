import ControlProtocol
import Glibc

/// Who a client of the control socket is, and what that lets it do.
package struct ControlIdentity: Hashable {
  let user: uid_t
  let role: ControlRole

  /// A client whose user the kernel does not report.
  static let unknown = ControlIdentity(user: .max, role: .none)
}
