import ControlProtocol
import CourtLogic
import Host
import Programs

/// A line at the console's prompt.
enum ConsoleCommand: Equatable {
  /// Neither a stop nor a command by hand.
  case request(ControlRequest)
  /// Shows what is loaded.
  case loaded(LoadedReport.Part)
  case stop
  case send(ControlRequest.ManualCommand)
  case help
  case quit

  /// - Returns: nil for an empty line or a comment.
  init?(_ line: String) throws {
    var words = ConsoleWords(line)
    guard let word = words.next() else { return nil }
    guard let verb = ConsoleVerb.named(word) else { throw Self.unknownVerb(word) }
    self = try verb.command(&words)
    if let next = words.next() { throw UsageError("unexpected '\(next)' after '\(word)'") }
  }

  /// All zeros are a stop.
  static func byHand(_ command: MachineCommand) -> ConsoleCommand {
    command.isStop ? .stop : .send(.command(command))
  }

  static func isStop(_ line: String) -> Bool { (try? ConsoleCommand(line)) == .stop }

  private static func unknownVerb(_ word: String) -> UsageError {
    if ["repeat", "wait"].contains(word) {
      return UsageError(
        "there is no verb '\(word)': use 'ballmachine send' and 'sleep' in a shell script"
      )
    }
    let meant = StopWords.meaning(of: word) ?? nearMiss(word, among: ConsoleVerb.all.map(\.name))
    let hint = meant.map { "; did you mean '\($0)'?" } ?? ""
    let warning = meant == StopWords.stop ? " \(StopWords.warning)" : ""
    return UsageError("there is no verb '\(word)'\(hint)\(warning); 'help' lists the verbs")
  }
}
