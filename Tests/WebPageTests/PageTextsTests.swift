import ControlProtocol
import MachineLink
import Safety
import Testing
import WebPage

/// A phone's reader is told everything in the page's own words: no code may come without a text.
struct PageTextsTests {
  private typealias Needed = (what: String, code: String, keys: [String])

  /// The codes that can reach a phone, with the keys of which one must have a text.
  private static func needed() throws -> [Needed] {
    func each(_ what: String, _ codes: [String], _ keys: (String) -> [String]) -> [Needed] {
      Set(codes).sorted().map { (what, $0, keys($0)) }
    }
    typealias State = SafetyState
    let holds =
      try PageTexts.codes(in: "Sources/Safety/SafetyHold.swift")
      + PageTexts.codes(in: "Sources/Safety/LostTraining.swift")
    let links =
      LinkFault.Code.allCases.map(\.rawValue) + ["commandsNotTaken"]
      + LinkStatus.Phase.allCases.map(\.rawValue)
    let obstacles = try PageTexts.obstacles()
    return each("state", SafetyRecord.states) { [$0 == "disarmed" ? "ready" : $0] }
      // Nothing has ended, or a person has ended it, who knows that.
      + each("disarmed", State.DisarmReason.allCases.map(\.rawValue)) {
        [["atStart", "reset", "operator"].contains($0) ? "ready" : "ended.\($0)"]
          + (["ballLimit", "timeLimit", "drillOver"].contains($0) ? [$0] : [])
      }
      + each("paused", State.PauseReason.allCases.map(\.rawValue)) {
        [$0 == "operator" ? "paused.do" : "paused.\($0).do"]
      }
      + each("hold", holds) { [$0 == "stopOwed" ? "owed" : $0] }
      + each("stop", SafetyRecord.Stop.outcomes) { [$0 == "pending" ? "stopping" : $0] }
      + each("ball", ["delivered", "queued", "notSent", "unknown"]) { ["ball.\($0)"] }
      + each("link", links.filter { $0 != "ready" }) { [obstacles[$0] ?? "obstacle.\($0)"] }
      + each("error", try errors()) { ["error.\($0)"] }
      + each("sight", try PageTexts.codes(in: "Sources/Camera/Finding/Doubt.swift")) {
        ["sight.\($0)"]
      }
      + each("phone", try PageTexts.phoneRefusals()) { ["phoneError.\($0)"] }
  }

  /// What no person brings about with the page as it is: the page says “That did not work”, and has the box's own
  /// words behind “Details”.
  private static let others: Set = [
    "badLength", "badMethod", "badParameters", "badPicture", "ballOnItsWay", "countdownOutOfRange",
    "foreignHost",
    "foreignOrigin", "internal", "internalError", "invalidParameters", "invalidRequest",
    "methodNotFound", "notHere", "notJSON", "notPOST", "outsideLimits", "parseError", "refused",
    "reloadRefused", "strange", "tooLong", "tooMany", "tooSoon",
    // Of the camera: the calibration has words of its own.
    "notRecognisable", "notReloaded", "otherShape", "tooFewLines", "turned",
  ]

  /// What a request of the page may be answered with.
  private static func errors() throws -> [String] {
    // A client of the bridge or the camera has no answer.
    let clients = [
      "noService", "unreachable", "noPermission", "silent", "lost", "strange", "refused",
    ]
    let all =
      try PageTexts.codes(in: "Sources/Safety/SafetyRequest.swift")
      + PageTexts.codes(in: "Sources/Safety/LostTraining.swift")
      + PageTexts.codes(in: "Sources/Bridge/Machine/TrainingRefusal.swift")
      + PageTexts.codes(in: "Sources/WebPage/Pairing/PairingCode.swift")
      + GateRefusal.allCases.map(\.code) + ControlError.Code.allCases.map { "\($0)" } + clients
      + PageTexts.failures() + PageTexts.refusals(below: "Sources/Bridge")
      + PageTexts.refusals(below: "Sources/Service") + PageTexts.refusals(below: "Sources/Camera")
    return all.map { others.contains($0) ? "other" : $0 }
  }

  /// The readers of the sources find what is there.
  @Test func theSourcesAreRead() throws {
    let errors = Set(try Self.errors())
    let known: Set = [
      "stopLatched", "noCommand", "wrongCode", "lockedOut", "notPaired", "tooOften", "otherBox",
      "noDrill", "forbidden", "other",
    ]
    #expect(known.subtracting(errors).isEmpty, "\(known.subtracting(errors))")
    #expect(try PageTexts().count > 50)
    #expect(try PageTexts.phoneRefusals().contains("replaced"))
  }

  @Test func everyCodeHasATextInBothLanguages() throws {
    let texts = try PageTexts()
    let missing = try Self.needed().filter { !texts.has($0.keys) }
    let lines = missing.map { "\($0.what) \($0.code): \($0.keys.joined(separator: " or "))" }
    #expect(missing.isEmpty, "no text in both languages:\n\(lines.joined(separator: "\n"))")
  }
}
