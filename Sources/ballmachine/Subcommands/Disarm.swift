/// `ballmachine disarm`: no more balls until the service is armed again.
struct Disarm: SafetySubcommand {
  var output = OutputOptions()

  static let usage: Usage<Self> = requesting(
    "disarm",
    "End the session: no more balls until somebody arms again",
    details: """
      The machine gets the stop command if it was being fed.
      """
  )
}
