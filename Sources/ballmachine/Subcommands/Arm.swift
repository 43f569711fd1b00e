import ControlProtocol
import Programs

/// `ballmachine arm`: balls fly after a countdown.
struct Arm: SafetySubcommand {
  var countdown: Duration?
  var request: ControlRequest { .arm(countdown: countdown) }
  var service = ServiceOptions()
  var output = OutputOptions()

  static let usage: Usage<Self> = requesting(
    "arm",
    "Let balls fly after a countdown",
    options: [
      .value(
        "countdown",
        .countdown,
        \.countdown,
        "Count down this many seconds to the first ball (default: the configuration's)"
      )
    ],
    arguments: [.optional(.countdown, \.countdown)],
    details: """
      Stand clear: balls fly when the countdown is over and the player is seen. `disarm' ends the \
      session, `pause' interrupts it, `stop' stops the machine. `arm 5' is `arm --countdown 5'.
      """
  )
}
