/// `ballmachine reset`: unlatches a stop.
struct Reset: SafetySubcommand {
  var output = OutputOptions()

  static let usage: Usage<Self> = requesting(
    "reset",
    "Unlatch a stop; it stays disarmed",
    details: """
      Make sure that the machine is safe first. Nothing flies until somebody arms.
      """
  )
}
