import Programs

/// `ballmachine-web`, which `ballmachine web` runs.
@main
enum WebProgram: Program {
  static let name = "ballmachine web"
  static let summary = "Shows the session on a phone, and stops it"
  static let usual: String? = "run"
  static let groups: [(title: String, members: [any Subcommand.Type])] = [
    ("Run", [Run.self]),
    ("Phones", [PairPhone.self, ShowPhones.self]),
    ("Find out what is wrong", [WebDoctor.self, Help<WebProgram>.self]),
  ]
}
