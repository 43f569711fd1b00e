import ControlProtocol
import Cues
import Host
import JSON
import Programs
import YAML

/// `ballmachine cues`: says at the court what the service does.
struct SayCues: Subcommand {
  var service = ServiceOptions()
  var language = CueLanguage.en
  var volume = 100
  var texts: String?
  var speaker = Self.standardSpeaker

  private static let standardSpeaker = "espeak-ng"

  static let usage = Usage<Self>(
    name: "cues",
    summary: "Say at the court what the service does",
    options: ServiceOptions.options.within(\.service) + [
      .value("language", .choice("LANGUAGE"), \.language, "Speak en (default) or de"),
      .value("volume", .integer("NUMBER", in: 0...200), \.volume, "How loud, 0 to 200 (100)"),
      .value("texts", .text("FILE"), \.texts, "Say this file's texts instead of the built-in ones"),
      .value(
        "speaker",
        .text("PROGRAM"),
        \.speaker,
        "Speak with this program, called as `\(standardSpeaker)' is: -v LANGUAGE -a VOLUME -- TEXT"
      ),
    ],
    details: """
      It says countdowns, live, rests, the last ball, stops and whether the machine has confirmed \
      them, pauses and why, balls by hand while disarmed, and that the machine is out of reach or \
      back; each as text, too. A rest and a drill's end are said once the machine has thrown the \
      last ball and confirmed its stop. A newer cue cuts off the running one, and a stop comes \
      first. What is wrong with the sound holds nothing up.

      It needs the group `ballmachine', and \(standardSpeaker), a Debian package. It waits for the \
      service, and follows the next one when it ends. FILE is YAML; the built-in texts are in \
      /usr/share/ballmachine/cues.yaml, or below another prefix.
      """
  )

  func run(_ output: Output) async throws {
    let texts = try loadedTexts()
    let journal = JournalLog { Output.complainBlocking("ballmachine cues: \($0)") }
    let complaint = Locked("")
    let speaker = CueSpeaker(
      command: { [language, volume, speaker] cue in
        let text = texts.text(of: cue, in: language) ?? ""
        return [speaker, "-v", language.rawValue, "-a", "\(volume)", "--", text]
      },
      ended: { [self] _, end in
        guard let text = words(of: end) else { return }
        let isNew = complaint.withLock { last in
          defer { last = text }
          return text != last
        }
        if isNew, !text.isEmpty { journal.write(text, .warning) }
      }
    )
    let signals = try endSignals()
    let unwritten = FirstAnswer<Void>()
    do {
      try await withThrowingTaskGroup { group in
        group.addTask {
          for await _ in signals { return }
        }
        group.addTask { try await waiting { try await unwritten.wait() } }
        group.addTask { [language] in
          try await follow(journal) { cue in
            guard let text = texts.text(of: cue, in: language) else { return }
            await speaker.say(cue)
            // A reader that takes nothing misses lines.
            _ = output.writeLater(CueReport(cue: cue, text: text)) { error in
              unwritten.give(.failure(error))
            }
          }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch {
      await speaker.end()
      throw error
    }
    await speaker.end()
    await journal.flush()
    try await output.flush()
  }

  private func loadedTexts() throws -> CueTexts {
    guard let texts else { return .builtIn }
    let (loaded, problems) = CueTexts.load(texts)
    guard problems.isEmpty else {
      throw Failure(.configuration, lines: problems.map(\.description))
    }
    return loaded
  }

  /// Follows one service after the other.
  private func follow(
    _ journal: JournalLog,
    say: @escaping @Sendable (Cue) async -> Void
  ) async throws {
    let sequence = Locked(CueSequence())
    var stop: Task<Void, Never>?
    defer { stop?.cancel() }
    var wait = ""
    let services = FollowedService { [service] in
      try service.simulate ? .ofSimulation() : .ofRunningBridge()
    }
    try await services.follow { news in
      switch news {
      case .here: wait = ""
      case .event(let event):
        guard let record = try? event.decoded(as: EventRecord.self),
          let cue = sequence.withLock({ $0.receive(record) })
        else { return }
        await say(cue)
        // A lost link, which often follows, doesn't end the wait for a stop.
        guard cue.name == .stopping else { return }
        stop?.cancel()
        stop = OneThread.task {
          guard (try? await SystemClock().sleep(for: CueSequence.patience)) != nil else { return }
          if let cue = sequence.withLock({ $0.waitForStop() }) { await say(cue) }
        }
      case .dropped: break
      case .away(let error):
        guard let error = error as? ControlClientError, error.mayPass else { throw error }
        let reason =
          service.simulate && error.isNoService ? ServiceConnection.noSimulation : "\(error)"
        if wait != reason { journal.write("waiting: \(reason)", .notice) }
        wait = reason
        fallthrough
      case .ended: if let cue = sequence.withLock({ $0.lose() }) { await say(cue) }
      }
    }
  }

  /// What is wrong with the sound; empty if nothing is, nil if that isn't known.
  private func words(of end: CueSpeaker.End) -> String? {
    let remedy = "; cues go on as text"
    switch end {
    case .cutOff: return nil
    case .said(nil): return ""
    case .said(let complaint?):
      return "\(speaker) says: \(complaint); if nothing is heard: `aplay -l` lists the devices"
    case .failed(let status, let complaint):
      return "\(speaker) ends with \(status)\(complaint.map { ": \($0)" } ?? "")\(remedy)"
    case .tooLong: return "\(speaker) took too long, and was killed: does the sound device hang?"
    case .stuck: return "\(speaker) can't be killed any more: does the sound device hang?\(remedy)"
    case .notStarted(let error):
      let package = speaker == Self.standardSpeaker ? ": run `apt install \(speaker)`" : ""
      return "\(error)\(package)\(remedy)"
    }
  }
}

/// Something that is said at the court, in text.
private struct CueReport: Report {
  var event = "cue"
  /// What is said, whatever its language.
  var cue: String
  /// The seconds that it names; nil: none.
  var seconds: Int?
  /// The words that are said.
  var text: String

  init(cue: Cue, text: String) {
    self.cue = cue.name.rawValue
    seconds = cue.seconds
    self.text = text
  }
}

extension ControlClientError {
  /// Whether another attempt may succeed without a person.
  fileprivate var mayPass: Bool {
    switch self {
    case .noService, .silent, .lost, .system: true
    case .failed(let code, _, _): code == ControlError.Code.tooMany.rawValue
    case .noPermission, .strange, .untrusted, .cancelled: false
    }
  }
}
