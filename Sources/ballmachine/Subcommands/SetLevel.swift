import ControlProtocol
import CourtLogic
import Programs

/// `ballmachine level`: sets or shows the skill level of what is loaded.
struct SetLevel: ChangingSubcommand {
  var level: SkillLevel?
  var none = false
  var request: ControlRequest { .level(level) }
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "level",
    summary: "Show or set the skill level: interval and commands",
    alternatives: ["[LEVEL]", "--none"],
    options: [
      .flag("none", \.none, "No level: the configured interval and the plain commands")
    ] + ServiceOptions.options.within(\.service),
    arguments: [.optional(.choice("LEVEL"), \.level)],
    details: """
      LEVEL is beginner, intermediate or advanced; without it the loaded level is shown, which needs \
      only the group `ballmachine'. Without a drill, it sets the interval of the \
      configuration's section levels; with one, what the drill says of that level. Commands are the \
      table's for that level, if it has levels: each is measured, none is a factor on motor speeds. \
      It stays until another one is set, also when the service starts again. With --none, a drill \
      that can't be thrown without a level is unloaded, too.

      To set one needs the group `ballmachine-operator'. It ends with 75 when the service refuses, because \
      it is armed, say, with 69 when no service runs.
      """
  )

  func validate() throws(UsageError) {
    guard !none || level == nil else { throw UsageError("give either a level, or --none") }
  }

  func run(_ output: Output) async throws {
    guard level == nil, !none else { return try await change(output) }
    try await ServiceConnection.open(service).showLoaded(
      .level,
      output,
      hint: "to change it: `ballmachine level' beginner, intermediate, advanced or --none"
    )
  }
}
