import ControlProtocol
import Programs

/// `ballmachine disarm`: no more balls until the service is armed again.
struct Disarm: ChangingSubcommand {
  var request: ControlRequest { .disarm }
  var service = ServiceOptions()

  static let usage: Usage<Self> = requesting(
    "disarm",
    "End the session: no more balls until it is armed again",
    details: """
      If the machine was being fed, it gets the stop command.
      """
  )
}
