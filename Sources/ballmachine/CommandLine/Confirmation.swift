import Glibc
import Host
import Programs

/// A question at a terminal, which only `yes` answers.
enum Confirmation {
  /// Other programs can't have the machine meanwhile.
  private static let timeout = Duration.seconds(60)

  /// Asks, and returns if the answer is `yes`.
  ///
  /// - Parameters:
  ///   - question: a line each.
  ///   - outcome: what is so without a yes, such as `not sent`.
  static func ask(_ question: [String], orElse outcome: String) async throws {
    // What was typed before the question is no answer to it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    Output.complain(question)
    let answer: String?
    do {
      answer = try await waiting(atMost: timeout) {
        for await line in InputLines.standardInput { return line }
        return nil
      }
    } catch is TimeoutError {
      throw Failure(.temporary, "\(outcome): no answer within 60 s")
    }
    guard answer == "yes" else {
      throw Failure(.temporary, "\(outcome): it was not confirmed with yes")
    }
  }
}
