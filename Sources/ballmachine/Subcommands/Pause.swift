import ControlProtocol
import Programs

/// `ballmachine pause`: no more balls until `ballmachine resume`.
struct Pause: ChangingSubcommand {
  var request: ControlRequest { .pause }
  var service = ServiceOptions()

  static let usage: Usage<Self> = requesting(
    "pause",
    "Let no ball fly until the session is resumed",
    details: """
      The session's limits of balls and minutes keep counting. `resume' continues it after a \
      countdown.
      """
  )
}
