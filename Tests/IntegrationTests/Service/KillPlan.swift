import Clocks
import CourtLogic

/// When a service is killed, and who stands on the court then.
struct KillPlan: Hashable, Sendable {
  /// From what on the time to the kill is counted.
  enum Cue: String, Hashable, Sendable, CaseIterable {
    /// The process has just been started.
    case birth
    /// The process has been started; it may be anywhere by then.
    case start
    /// It says that it counts down.
    case countdown
    /// A ball is on the bus; the machine takes its time to answer.
    case ball
    /// It says what became of its first ball.
    case dispatch
    /// As much later that the next ball is due.
    case nextBall
    /// It is asked to end, by SIGTERM.
    case end

    /// The time to the kill lies in there.
    fileprivate var delays: ClosedRange<Double> {
      switch self {
      case .birth: 0...0.1
      case .start: 0...1.5
      case .countdown: 0...KillPlan.shortCountdown
      case .ball: 0...KillPlan.slowAnswer
      // From the stop command's answer to its end it takes a moment.
      case .end: 0...KillPlan.slowAnswer + 0.04
      case .dispatch: 0...0.5
      case .nextBall: 2.9...3.1
      }
    }
  }

  var cue: Cue
  /// In seconds.
  var delay: Double
  var zone: String

  /// From arming to the first ball, in seconds.
  var countdown = shortCountdown
  /// From Write Request to Write Response, in seconds.
  var answerTime: Double

  fileprivate static let shortCountdown = 0.3
  /// How long the machine takes to answer where the kill shall find a write under way.
  fileprivate static let slowAnswer = 0.4

  init(cue: Cue, delay: Double, zone: String) {
    (self.cue, self.delay, self.zone) = (cue, delay, zone)
    answerTime = cue == .ball || cue == .end ? Self.slowAnswer : 0.04
  }

  /// Right after the cue; what the service is at then takes so long that even on a busy box it is
  /// still at it.
  init(at cue: Cue) {
    self.init(cue: cue, delay: 0, zone: "2-2")
    if cue == .countdown { countdown = 10 }
    if answerTime == Self.slowAnswer { answerTime = 4 }
  }

  /// So many plans, with each cue as often as the others.
  static func plans(_ count: Int, seed: UInt64) -> [KillPlan] {
    var generator = SeededGenerator(seed: seed)
    let zones = CourtFacts.commands.keys.sorted()
    var deck: [Cue] = []
    return (0..<count).map { _ in
      if deck.isEmpty { deck = Cue.allCases.shuffled(using: &generator) }
      let cue = deck.removeLast()
      return KillPlan(
        cue: cue,
        delay: .random(in: cue.delays, using: &generator),
        zone: zones[.random(in: zones.indices, using: &generator)]
      )
    }
  }
}

extension KillPlan: CustomStringConvertible {
  var description: String { "\(cue) + \(Int((delay * 1000).rounded())) ms, player in \(zone)" }
}
