import ControlProtocol
import CourtLogic
import TestSupport
import Testing

@testable import RunLog
@testable import SessionSummary

/// What holds for every log.
struct RunFoldPropertyTests {
  /// The lines that `LogRecorder` repeats at the beginning of each file.
  private static let standing = ["\"event\":\"safety\"", "\"event\":\"link\""]

  private func log(_ random: inout SeededGenerator) -> LogText {
    var log = LogText()
    log.mode("REAL")
    log.safety("disarmed", "atStart", at: 0.5)
    var t = 1.0
    for _ in 0..<4 {
      log.training(set: 1, ball: 0, at: t)
      log.session(from: t, live: Double(Int.random(in: 1...10, using: &random) * 3))
      t += 60
      log.safety("countdown", "arming", at: t)
      log.safety("live", holds: ["notSeen"], at: t + 3)
      for step in 0..<40 {
        log.position(
          .random(in: 1...7, using: &random),
          .random(in: 9...13, using: &random),
          at: t + 3 + Double(step) / 10
        )
      }
      log.safety("paused", "manual", at: t + 8)
      log.safety(Bool.random(using: &random) ? "stopped" : "live", at: t + 9)
      t += 20
    }
    return log
  }

  @Test(arguments: seeds())
  func aLogInPartsIsTheSameLog(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = log(&random)
    let whole = log.sessions
    #expect(whole.count > 4)
    for _ in 0..<20 {
      var parts: [[UInt8]] = [[]]
      var head: [String: [UInt8]] = [:]
      for line in log.lines {
        if Int.random(in: 0..<60, using: &random) == 0 {
          let session =
            #"{"event":"session","part":1,"program":"p","protocol":2,"session":42,"t":0}"#
          parts.append(Array((session + "\n").utf8) + head.values.joined())
        }
        parts[parts.count - 1] += line
        let text = String(decoding: line, as: UTF8.self)
        if let event = Self.standing.first(where: text.contains) { head[event] = line }
      }
      #expect(LogText.sessions(of: parts) == whole)
    }
    for chunk in [1, 7, 100, 4097] {
      #expect(LogText.sessions(of: [log.bytes], chunk: chunk) == whole)
    }
    let balls = LogText.sessions(of: [log.bytes], .balls)
    #expect(
      balls
        == whole.map { session in
          var session = session
          session.movement = nil
          return session
        }
    )
  }

  /// Bytes, cut lines, absurd numbers and times that run backwards are no end of a summary.
  @Test(arguments: seeds())
  func hostileLinesAreCounted(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = log(&random)
    let absurd = [
      "1e308", "-1e308", "NaN", "1e999", "9223372036854775807", "-0", "1e-300",
      "123456789012345678901",
      "\"4\"", "null", "[]", "0.1e1",
    ]
    for _ in 0..<30 {
      var bytes = log.bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 100))
        case 2: bytes.insert(contentsOf: bytes.suffix(from: place).prefix(3000), at: place)
        case 3:
          // A number in the place of another.
          guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")),
            let end = bytes[colon...].firstIndex(where: { $0 == UInt8(ascii: ",") })
          else { continue }
          bytes.replaceSubrange(
            (colon + 1)..<end,
            with: Array(absurd.randomElement(using: &random)!.utf8)
          )
        default: bytes.reverse(from: place)
        }
      }
      for session in LogText.sessions(of: [bytes]) {
        #expect(session.seconds >= 0 && session.live >= 0 && session.live <= session.seconds + 1e-6)
        let movement = session.movement
        #expect(movement.map { $0.distance.isFinite && $0.distance >= 0 } ?? true)
        #expect((movement?.greatestSpeed ?? 0) <= PlayerPath.greatestSpeed + 3)
        #expect(movement.map { $0.seen.isFinite && $0.seen > 0 } ?? true)
        _ = SessionTable.row(session)
        for figure in SessionFigure.all { _ = figure.value(session).map(figure.text) }
      }
    }
  }
}

extension [UInt8] {
  /// The lines behind this place in the opposite order.
  fileprivate mutating func reverse(from place: Int) {
    let lines = self[place...].split(separator: UInt8(ascii: "\n")).reversed()
    self = Array(self[..<place]) + lines.joined(separator: [UInt8(ascii: "\n")])
  }
}
