import Foundation

/// A file of a run log as its service has left it, dead or alive.
struct LeftLog: Sendable {
  struct Line: Decodable, Sendable {
    var event: String
    var state: String?
    var command: String?
  }

  /// What replays make of it, as it is and torn in its last line; none where there is nothing to
  /// replay.
  var replays: [KilledService.Run] = []
  private(set) var lines: [Line] = []
  /// The whole lines that can't be read.
  private(set) var badLines: [String] = []
  /// What stands behind the end of the last whole line.
  let tail: String

  init(path: String) throws {
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    var all = text.split(separator: "\n", omittingEmptySubsequences: false)
    tail = all.popLast().map(String.init) ?? ""
    for line in all {
      do { lines.append(try JSONDecoder().decode(Line.self, from: Data(line.utf8))) } catch {
        badLines.append(String(line))
      }
    }
  }

  func named(_ event: String) -> [Line] { lines.filter { $0.event == event } }
}
