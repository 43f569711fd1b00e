/// `ballmachine resume`: goes on after a pause.
struct Resume: SafetySubcommand {
  var output = OutputOptions()

  static let usage: Usage<Self> = requesting(
    "resume",
    "Continue after a pause, with a countdown",
    details: """
      Stand clear: balls fly when the countdown is over and the player is seen.
      """
  )

  func run(_ output: Output) async throws {
    try output.requirePlace()
    let service = try await ServiceConnection.open()
    try await output.confirm(await service.request("resume"))
  }
}
