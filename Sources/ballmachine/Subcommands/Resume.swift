import ControlProtocol
import Programs

/// `ballmachine resume`: goes on after a pause.
struct Resume: ChangingSubcommand {
  var countdown: Duration?
  var request: ControlRequest { .resume(countdown: countdown) }
  var service = ServiceOptions()
  var output = OutputOptions()

  static let usage: Usage<Self> = requesting(
    "resume",
    "Continue after a pause, with a countdown",
    options: [CountdownOption.once(\.countdown)],
    details: """
      Stand clear: balls fly when the countdown is over and the player is seen.
      """
  )
}
