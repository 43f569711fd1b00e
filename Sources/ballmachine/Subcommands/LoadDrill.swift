import ControlProtocol
import CourtLogic
import Programs
import Training

/// `ballmachine drill`: loads a drill for the next session, or shows the loaded one.
struct LoadDrill: ChangingSubcommand {
  var name: String?
  var none = false
  var level: SkillLevel?
  var seed: Int?
  var request: ControlRequest { .drill(name.map { .init($0, level: level, seed: seed) }) }
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "drill",
    summary: "Show the loaded drill, or load one for the next session",
    alternatives: ["[DRILL]", "--none"],
    options: [
      .flag("none", \.none, "No drill: balls for the player's own zone"),
      .value(
        "level",
        .choice("LEVEL"),
        \.level,
        "beginner, intermediate or advanced (default: the loaded one)"
      ),
      .value(
        "seed",
        .integer("N", in: Drill.seeds),
        \.seed,
        "Draw the same shots again (default: the drill's seed, or another one each time)"
      ),
    ] + ServiceOptions.options.within(\.service),
    arguments: [.optional(.text("DRILL"), \.name)],
    details: """
      Without DRILL it shows what is loaded, which needs only the group `ballmachine'. `drills' \
      lists the drills. The drill waits until the service is armed; then `status' and \
      `watch' show its sets and balls. Between two sets is a rest, and a countdown at its end; \
      `resume' ends it sooner. A pause keeps the place in the drill, `stop' and `disarm' lose it. A \
      drill throws no ball either unless the player is seen. It stays loaded until another one is, \
      also when the service starts again. The level stays, with --none too, until --level or `level' \
      changes it.

      To load one needs the group `ballmachine-operator'. It ends with 75 when the service refuses, because \
      it is armed, say, with 69 when no service runs.

      Example: ballmachine drill two-corners --level beginner
      """
  )

  func validate() throws(UsageError) {
    guard !none || name == nil else { throw UsageError("give either a drill's name, or --none") }
    guard !none || (level == nil && seed == nil) else {
      throw UsageError("--none has neither level nor seed")
    }
    guard none || name != nil || (level == nil && seed == nil) else {
      throw UsageError("--level and --seed need a drill; `level' changes the loaded one's level")
    }
  }

  func run(_ output: Output) async throws {
    guard name == nil, !none else { return try await change(output) }
    try await ServiceConnection.open(service).showLoaded(
      .drill,
      output,
      hint: "to change it: `ballmachine drill DRILL' or --none; `drills' lists them"
    )
  }
}
