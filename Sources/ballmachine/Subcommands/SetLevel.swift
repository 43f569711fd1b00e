import ControlProtocol
import CourtLogic
import Programs

/// `ballmachine level`: the skill level of what is loaded.
struct SetLevel: ChangingSubcommand {
  var level: SkillLevel?
  var none = false
  var request: ControlRequest { .level(level) }
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "level",
    summary: "Set the skill level: interval and commands",
    alternatives: ["LEVEL", "--none"],
    options: [
      .flag("none", \.none, "No level: the configured interval and the plain commands")
    ] + ServiceOptions.options.within(\.service),
    arguments: [.optional(.choice("LEVEL"), \.level)],
    details: """
      LEVEL is beginner, intermediate or advanced. Without a drill, it sets the interval of the \
      configuration's section levels; with one, what the drill says of that level. Commands are the \
      table's for that level, if it has levels: each is measured, none is a factor on motor speeds. \
      It stays until another one is set, also when the service starts again. With --none, a drill \
      that can't be thrown without a level is unloaded, too.

      It needs the group `ballmachine-operator', and ends with 75 when the service refuses, because \
      it is armed, say, with 69 when no service runs.
      """
  )

  func validate() throws(UsageError) {
    guard none != (level != nil) else { throw UsageError("give either a level, or --none") }
  }
}
