import ControlProtocol
import Programs

/// `ballmachine reset`: unlatches a stop.
struct Reset: ChangingSubcommand {
  var request: ControlRequest { .reset }
  var service = ServiceOptions()

  static let usage: Usage<Self> = requesting(
    "reset",
    "Unlatch a stop; the service stays disarmed",
    details: """
      Make sure that the machine is safe first. No ball flies until the service is armed.
      """
  )
}
