import ControlProtocol
import Options
import Programs

/// `ballmachine resume`: goes on after a pause.
struct Resume: ChangingSubcommand {
  /// The countdown, given without the option's name.
  var seconds: Duration?
  var countdown: Duration?
  var request: ControlRequest { .resume(countdown: seconds ?? countdown) }
  var service = ServiceOptions()

  static let usage: Usage<Self> = requesting(
    "resume",
    "Continue after a pause, with a countdown",
    options: [CountdownOption.once(\.countdown)],
    arguments: [.optional(.countdown, \.seconds)],
    details: """
      Stand clear: balls fly when the countdown is over and the player is seen. `resume 5' is \
      `resume --countdown 5'.
      """
  )

  func validate() throws(UsageError) {
    try CountdownOption.validate(seconds, countdown, of: "resume")
  }
}
