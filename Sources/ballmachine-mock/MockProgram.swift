import Programs

/// `ballmachine-mock`, which `ballmachine simulate` and `ballmachine mock` run.
@main
enum MockProgram: Program {
  // Its subcommands are those of `ballmachine`, as people type them.
  static let name = "ballmachine"
  static let summary = "Shows the ball machine bridge at work without a machine"
  static let groups: [(title: String, members: [any Subcommand.Type])] = [
    ("Try it without a machine", [Simulate.self, Mock.self]),
    ("Find out what is wrong", [Help<MockProgram>.self]),
  ]
}
