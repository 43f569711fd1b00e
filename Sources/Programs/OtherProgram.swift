import Glibc
import Host
package import JSON

/// A program that stands beside this one, as git's do: `ballmachine-camera' beside `ballmachine'.
package struct OtherProgram: Sendable {
  /// The name that people type after this program's name.
  package let name: String
  /// The end of its file's name.
  private let program: String
  /// What it runs; nil: what its own arguments say.
  private let subcommand: String?
  package let summary: String
  /// The title of the help's group in which it stands; nil: among the programs of their own.
  let group: String?

  /// - Parameter program: where it is a subcommand of another program that people need not know.
  package init(
    _ name: String,
    of program: String? = nil,
    _ summary: String,
    in group: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.program = program ?? name
    subcommand = program == nil ? nil : name
    self.group = group
  }

  /// Runs it in place of this one. Returns if it isn't installed.
  func replaceThis(_ arguments: some Sequence<String>) {
    Self.replaceThis(with: program, [subcommand].compactMap(\.self) + arguments)
  }

  /// Runs its help in place of this program. Returns if it isn't installed.
  func showHelp(_ options: [String]) {
    Self.replaceThis(with: program, ["help"] + options + [subcommand].compactMap(\.self))
  }

  var isInstalled: Bool { Self.path(of: program) != nil }

  /// Why it isn't run.
  func absence(in own: String) -> String {
    subcommand == nil
      ? "'\(own) \(name)' is a program of its own, which is not installed"
      : "'\(own) \(name)' needs the program \(own)-\(program), which is not installed"
  }

  /// - Returns: nil if it isn't installed.
  package static func path(of name: String) -> String? { executable { "\($0)-\(name)" } }

  /// The path of a program in this one's folder; nil if there is none.
  package static func path(beside name: String) -> String? {
    executable { own in own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + name }
  }

  /// The path of this program itself.
  package static var own: String? { executable { $0 } }

  private static func executable(_ path: (String) -> String) -> String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let path = path(String(cString: own))
    return access(path, X_OK) == 0 ? path : nil
  }

  /// Runs it in place of this one. Returns if it isn't installed.
  package static func replaceThis(with name: String, _ arguments: some Sequence<String>) {
    guard let path = path(of: name) else { return }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
  }

  /// Runs a program, and reads what it prints with `--json`.
  ///
  /// - Parameter limit: one that takes longer is killed.
  /// - Returns: a value for each line of JSON; nil if it can't be run, or is killed.
  package static func records(of arguments: [String], within limit: Duration) async -> [JSONValue]?
  {
    let end = try? await ChildProcess.output(of: arguments, longest: 1 << 20, within: limit)
    guard let end, end.status < 128 else { return nil }
    return end.output.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONValue(text: Array($0))
    }
  }
}
