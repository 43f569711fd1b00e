/// `ballmachine help [SUBCOMMAND]`: the same text as `--help` behind the subcommand.
struct Help: Subcommand {
  var subcommand: String?
  var output = OutputOptions()

  static let usage = Usage<Self>(
    name: "help",
    summary: "Tell what a subcommand does and accepts",
    arguments: [.optional(.text("SUBCOMMAND"), \.subcommand)]
  )

  func run(_ output: Output) async throws {
    guard let subcommand else {
      _ = try parse(TopLevel.self, as: "ballmachine", arguments: ["--help"])
      return
    }
    guard let type = BallMachine.named(subcommand) else {
      throw BallMachine.unknownSubcommand(subcommand)
    }
    try show(type)
  }

  private func show<Command: Subcommand>(_ type: Command.Type) throws {
    _ = try parse(type, arguments: ["--help"])
  }
}
