import Cues
import Host
import TestSupport
import Testing

/// Says cues through a stand-in program, which writes down what it is called with.
@Suite(.mustEnd)
struct CueSpeakerTests {
  private typealias Endings = AsyncStream<(Cue, CueSpeaker.End)>

  private let folder: TemporaryDirectory
  private let speaker: CueSpeaker
  private let endings: Endings

  /// Each cue is a script of a shell.
  init() throws {
    folder = try TemporaryDirectory()
    (speaker, endings) = Self.speaker(in: folder)
  }

  private static func speaker(
    in folder: TemporaryDirectory,
    limit: Duration = .seconds(60)
  ) -> (CueSpeaker, Endings) {
    let (endings, continuation) = Endings.makeStream()
    let path = folder.path
    let speaker = CueSpeaker(
      limit: limit,
      command: { cue in
        let script =
          switch cue.name {
          // As a sound device that hangs: with a child that would outlive the shell.
          case .live, .stopping: "echo \(cue.name) >> \(path)/begun; sleep 1000; true"
          case .paused: "echo Device busy >&2; echo No sound >&2; exit 3"
          case .rest: "echo Underrun >&2"
          default: "true"
          }
        return ["sh", "-c", script]
      },
      ended: { continuation.yield(($0, $1)) }
    )
    return (speaker, endings)
  }

  private func ends(_ count: Int) async -> [String] {
    var texts: [String] = []
    for await (cue, end) in endings {
      texts.append("\(cue.name) \(end)")
      if texts.count == count { break }
    }
    return texts
  }

  @Test func oneAfterTheOther() async {
    await speaker.say(Cue(.stopped))
    #expect(await ends(1) == ["stopped said(complaint: nil)"])
    await speaker.say(Cue(.rest, seconds: 45))
    #expect(await ends(1) == [#"rest said(complaint: Optional("Underrun"))"#])
    await speaker.say(Cue(.paused))
    #expect(await ends(1) == [#"paused failed(status: 3, complaint: Optional("No sound"))"#])
  }

  @Test func aNewerOneCutsOffOneThatHangs() async throws {
    await speaker.say(Cue(.live))
    await speaker.say(Cue(.stopping))
    await speaker.say(Cue(.stopped))
    #expect(
      await ends(3) == ["live cutOff", "stopping cutOff", "stopped said(complaint: nil)"]
    )
  }

  @Test func newsWaitForTheEndOfAStopAndTheNewestIsSaid() async throws {
    await speaker.say(Cue(.stopping))
    await speaker.say(Cue(.lastBall))
    await speaker.say(Cue(.linkLost))
    await speaker.say(Cue(.stopped))
    await speaker.say(Cue(.linkLost))
    #expect(
      await ends(3) == [
        "stopping cutOff", "stopped said(complaint: nil)", "linkLost said(complaint: nil)",
      ]
    )
  }

  @Test func oneThatTakesTooLongIsKilledAndTheNextIsSaid() async throws {
    let (speaker, endings) = Self.speaker(in: folder, limit: .milliseconds(200))
    await speaker.say(Cue(.stopping))
    await speaker.say(Cue(.linkLost))
    var iterator = endings.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.0 == Cue(.stopping) && first?.1 == .tooLong)
    #expect(await iterator.next()?.0 == Cue(.linkLost))
  }

  @Test func aProgramThatIsNotThereIsSaid() async {
    let (endings, continuation) = Endings.makeStream()
    let speaker = CueSpeaker(command: { _ in ["no-such-program"] }) { continuation.yield(($0, $1)) }
    await speaker.say(Cue(.live))
    for await (_, end) in endings {
      #expect(end == .notStarted(SystemError("run no-such-program", code: 2)))
      break
    }
  }

  @Test func theEndLeavesNothingBehind() async {
    await speaker.say(Cue(.stopping))
    await speaker.say(Cue(.linkLost))
    await speaker.end()
    #expect(await ends(1) == ["stopping cutOff"])
    await speaker.say(Cue(.stopped))
    #expect(await ends(1) == ["stopped said(complaint: nil)"])
  }
}
