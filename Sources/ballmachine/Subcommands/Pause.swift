/// `ballmachine pause`: no more balls until `ballmachine resume`.
struct Pause: SafetySubcommand {
  var output = OutputOptions()

  static let usage: Usage<Self> = requesting(
    "pause",
    "Let no ball fly until somebody resumes",
    details: """
      The session goes on: its limits of balls and minutes keep counting. `resume' goes on after a \
      countdown.
      """
  )
}
