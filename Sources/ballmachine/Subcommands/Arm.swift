import ControlProtocol
import Options
import Programs

/// `ballmachine arm`: balls fly after a countdown.
struct Arm: ChangingSubcommand {
  /// The countdown, given without the option's name.
  var seconds: Duration?
  var countdown: Duration?
  var player: String?
  var request: ControlRequest { .arm(countdown: seconds ?? countdown, label: player) }
  var service = ServiceOptions()

  static let usage: Usage<Self> = requesting(
    "arm",
    "Let balls fly after a countdown",
    options: [
      CountdownOption.once(\.countdown),
      .value(
        "player",
        .label,
        \.player,
        "Keep this name with the session, for `sessions' (default: none)"
      ),
    ],
    arguments: [.optional(.countdown, \.seconds)],
    details: """
      Stand clear: balls fly when the countdown is over and the player is seen. `disarm' ends the \
      session, `pause' interrupts it, `stop' stops the machine. `arm 5' is `arm --countdown 5'. \
      A session that runs takes no other player and no countdown: `disarm' first.
      """
  )

  func validate() throws(UsageError) {
    try CountdownOption.validate(seconds, countdown, of: "arm")
  }
}

extension ValueKind where Value == String {
  /// A player's name.
  fileprivate static var label: ValueKind {
    ValueKind("NAME") { (text) throws(UsageError) in
      guard ControlRequest.isLabel(text) else {
        throw UsageError("is not a name of \(ControlRequest.labelLength)")
      }
      return text
    }
  }
}
