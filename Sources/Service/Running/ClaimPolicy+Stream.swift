package import Host
package import MachineLink
import Programs

extension BlueZCentral.ClaimPolicy {
  /// Gives the claims to what takes stops there.
  package static func told() -> (policy: Self, claims: AsyncStream<MachineClaim>) {
    let (claims, continuation) = AsyncStream.makeStream(
      of: MachineClaim.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    var policy = Self()
    policy.claimed = { continuation.yield($0) }
    policy.failed = {
      Output.complain(
        "ballmachine: warning: no other program is kept from writing to the machine: \($0)"
      )
    }
    return (policy, claims)
  }
}
