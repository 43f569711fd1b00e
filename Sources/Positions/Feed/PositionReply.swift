import JSON

/// To a feeder that asked for replies: a line that was refused. The first reply is its own request,
/// `{"replies": true}`.
struct PositionReply: Encodable {
  /// The number of the line, from 1.
  private var line: Int
  /// Why it can't be used.
  private var reason: String

  /// Replies to the lines of one read, which may have two thousand. Further ones are counted in a
  /// last line, so that all fit into an empty socket.
  static let most = 100

  /// To a feeder that asked for replies: more lines were refused.
  private struct Rest: Encodable {
    /// How many.
    var more: Int
  }

  /// To a feeder that asked for replies: what it should know, though its lines are used.
  private struct Hint: Encodable {
    /// The number of the line that showed it, from 1.
    var line: Int
    /// What it may mean otherwise, in words.
    var hint: String
  }

  static let accepted = line(["replies": true])

  static func text(_ lines: [PositionLine]) -> [UInt8] {
    let refused = lines.compactMap { if case .bad(let bad) = $0 { bad } else { nil } }
    var text = refused.prefix(most).flatMap { bad in
      line(PositionReply(line: bad.line, reason: "\(bad.reason)"))
    }
    for case .hint(let hint, let number) in lines {
      text += line(Hint(line: number, hint: "\(hint)"))
    }
    if refused.count > most { text += line(Rest(more: refused.count - most)) }
    return text
  }

  private static func line(_ value: some Encodable) -> [UInt8] {
    // Nothing here has a number that JSON lacks.
    ((try? JSONEncoding.line(value)) ?? []) + [UInt8(ascii: "\n")]
  }
}
