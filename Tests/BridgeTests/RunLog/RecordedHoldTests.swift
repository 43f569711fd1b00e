import Clocks
import ControlProtocol
import CourtLogic
import Host
import Safety
import Testing

@testable import Bridge
@testable import Configuration
@testable import RunLog

/// A dry run of a log shows the balls that the run threw, and not those that it held back.
struct RecordedHoldTests {
  /// A bridge at work, and the lines that its run log would have.
  private struct Run {
    private var fixture = BridgeFixture()
    private var lines = [#"{"event":"session","version":1}"#]

    init() { arm() }

    private var now: Double { fixture.now.seconds }

    mutating func arm() {
      // Told a little late, as everything is.
      lines.append(#"{"event":"safety","t":\#(now + 0.003),"state":"live"}"#)
      fixture.perform(.arm(countdown: .zero))
    }

    mutating func disarm() {
      fixture.perform(.disarm)
      lines.append(#"{"event":"safety","t":\#(now + 0.003),"state":"disarmed"}"#)
    }

    /// The player stands there for so long.
    mutating func stand(y: Double, for time: Duration) {
      for _ in 0..<Int(time / .milliseconds(100)) {
        lines.append(
          #"{"connection":"test","event":"position","t":\#(now),"x":4,"y":\#(y)}"#
        )
        fixture.stand(x: 4, y: y)
        fixture.pass(.milliseconds(100))
      }
    }

    /// When the run's balls were decided, and its log as a track.
    mutating func end() throws -> (balls: [Double], held: Int, track: Track) {
      let held = fixture.end().held
      var balls: [Double] = []
      for event in fixture.events {
        switch event {
        case .record(.dispatch(let dispatch), _): balls.append(dispatch.decision.t)
        case .record(.held, _): break
        default: continue
        }
        let record = EventRecord(event, at: fixture.now) { _ in
          WallTime(secondsSince1970: 0)
        }
        lines.append(String(decoding: RecordLine.of(record).dropLast(), as: UTF8.self))
      }
      return (balls, held, try Track(bytes: Array(lines.joined(separator: "\n").utf8)))
    }
  }

  private func replay(
    _ track: Track,
    asRecorded: Bool = true
  ) -> (balls: [Double], held: Int) {
    var run = DryRun(logic: LogicManager(.init(table: CommandTableFile.builtIn)))
    var balls: [Double] = []
    let held = run.decide(on: track, asRecorded: asRecorded) { decision, _, _ in
      balls.append(decision.time.seconds)
    }
    return (balls, held)
  }

  @Test func whatWasHeldBackIsNotShownAndWhatFollowedIs() throws {
    var run = Run()
    run.stand(y: 9, for: .seconds(4))
    // Nearer to the net than 0.5 m, for two balls; the hold is told once. Then a jump, for another.
    run.stand(y: 0.2, for: .seconds(7))
    run.stand(y: 9, for: .milliseconds(6_500))
    let (balls, held, track) = try run.end()
    #expect(balls == [0, 3, 15] && held == 3, "\(balls), \(held)")
    let shown = replay(track)
    #expect(shown.balls.count == balls.count && shown.held == held, "\(shown)")
    for (shown, ball) in zip(shown.balls, balls) { #expect(abs(shown - ball) < 0.1) }
    let all = replay(track, asRecorded: false)
    #expect(all.balls.count == balls.count + held && all.held == 0)
  }

  /// A hold ends with the time in which balls could fly, whoever tells so.
  @Test func aHoldIsOfItsTimeAlone() throws {
    var run = Run()
    run.stand(y: 0.2, for: .seconds(2))
    run.disarm()
    run.stand(y: 9, for: .seconds(2))
    run.arm()
    run.stand(y: 9, for: .milliseconds(2_900))
    let (balls, held, track) = try run.end()
    #expect(balls.count == 1 && held == 1, "\(balls), \(held)")
    let shown = replay(track)
    #expect(shown.balls.count == 1 && shown.held == 1, "\(shown)")
    // Killed before the ball's outcome was known: the log doesn't have it.
    let torn = Track(
      positions: track.positions,
      badLines: [],
      feeding: track.feeding,
      verdicts: track.verdicts.filter(\.isHeld)
    )
    #expect(replay(torn).balls.count == 1)
  }
}
