import Camera
import ControlProtocol
import CourtMapping
import MachineLink
import Safety
import Testing
import WebPage

/// A phone's reader is told everything in the page's own words: no code may come without a text.
struct PageTextsTests {
  /// The codes that can reach a phone, with the keys of which one must have a text.
  private static func needed() throws -> [(what: String, code: String, keys: [String])] {
    func each(
      _ what: String,
      _ codes: [String],
      _ keys: (String) -> [String]
    ) -> [(what: String, code: String, keys: [String])] {
      Set(codes).sorted().map { (what, $0, keys($0)) }
    }
    typealias State = SafetyState
    let ended = State.DisarmReason.allCases.map(\.rawValue)
    let counting = State.CountdownReason.allCases.map(\.rawValue)
    let paused = State.PauseReason.allCases.map(\.rawValue)
    let holds =
      try PageTexts.codes(in: "Sources/Safety/SafetyHold.swift")
      + PageTexts.codes(in: "Sources/Safety/LostTraining.swift")
    let camera =
      try PageTexts.codes(in: "Sources/Camera/Finding/Doubt.swift")
      + CameraProblem.Code.allCases.map(\.rawValue) + PictureProblem.Code.allCases.map(\.rawValue)
      + ["no-calibration"]
    let faults = LinkFault.Code.allCases.map(\.rawValue) + ["commandsNotTaken"]
    return each("state", SafetyRecord.states) { ["state.\($0)", $0] }
      // “reset” alone is a button.
      + each("disarmed", ended) { [".\($0)", "ended.\($0)"] + ($0 == "reset" ? [] : [$0]) }
      + each("countdown", counting) { [".\($0)", "countdown.\($0)"] }
      + each("paused", paused) { [".\($0)", "paused.\($0)", "paused.\($0).do"] }
      + each("hold", holds) { [".\($0)", $0] }
      + each("stop", SafetyRecord.Stop.outcomes) { outcome in
        ["stop.\(outcome)", outcome == "pending" ? "stopping" : outcome]
      }
      + each("ball", ["delivered", "queued", "notSent", "unknown"]) { ["ball.\($0)"] }
      + each("link", LinkStatus.Phase.allCases.map(\.rawValue)) { ["link.\($0)"] }
      + each("fault", faults) { ["fault.\($0)"] }
      + each("camera", camera) { ["camera.\($0)"] }
      + each("warning", CalibrationWarning.allCases.map(\.rawValue)) { ["warning.\($0)"] }
      + each("error", try errors()) { ["error.\($0)"] }
  }

  /// What a request of the page may be answered with.
  private static func errors() throws -> [String] {
    // A client of the bridge or the camera has no answer.
    let clients = [
      "noService", "unreachable", "noPermission", "silent", "lost", "strange", "refused",
    ]
    return try PageTexts.codes(in: "Sources/Safety/SafetyRequest.swift")
      + PageTexts.codes(in: "Sources/Safety/LostTraining.swift")
      + PageTexts.codes(in: "Sources/Bridge/Machine/TrainingRefusal.swift")
      + PageTexts.codes(in: "Sources/WebPage/Pairing/PairingCode.swift")
      + GateRefusal.allCases.map(\.code) + ControlError.Code.allCases.map { "\($0)" } + clients
      + PageTexts.failures() + PageTexts.refusals(below: "Sources/Bridge")
      + PageTexts.refusals(below: "Sources/Service") + PageTexts.refusals(below: "Sources/Camera")
  }

  /// The readers of the sources find what is there.
  @Test func theSourcesAreRead() throws {
    let errors = Set(try Self.errors())
    let known: Set = [
      "stopLatched", "noCommand", "wrongCode", "lockedOut", "notPaired", "tooOften", "otherBox",
      "noDrill", "reloadRefused", "tooFewLines", "notReloaded", "foreignHost", "forbidden",
    ]
    #expect(known.subtracting(errors).isEmpty, "\(known.subtracting(errors))")
    #expect(try PageTexts().count > 50)
  }

  @Test func everyCodeHasATextInBothLanguages() throws {
    let texts = try PageTexts()
    let missing = try Self.needed().filter { !texts.has($0.keys) }
    let lines = missing.map { "\($0.what) \($0.code): \($0.keys.joined(separator: " or "))" }
    #expect(missing.isEmpty, "no text in both languages:\n\(lines.joined(separator: "\n"))")
  }
}
