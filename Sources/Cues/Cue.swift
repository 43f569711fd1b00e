/// Something to say at the court.
package struct Cue: Hashable, Sendable {
  /// What is said, by the keys of the file of texts.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    case countdown
    case nextSet = "next-set"
    case live, rest
    case lastBall = "last-ball"
    case drillOver = "drill-over"
    /// The stop command is on its way.
    case stopping
    case stopped
    case stopUnconfirmed = "stop-unconfirmed"
    case stopNotDelivered = "stop-not-delivered"
    case paused
    case pausedByHand = "paused-by-hand"
    case ballByHand = "ball-by-hand"
    case noPlayer = "no-player"
    /// The machine refuses commands.
    case refused
    case disarmed
    case linkLost = "link-lost"
    case linkBack = "link-back"
    case noService = "no-service"
  }

  package let name: Name
  /// The seconds that a countdown or a rest lasts; nil for another cue.
  package let seconds: Int?

  package init(_ name: Name, seconds: Int? = nil) {
    self.name = name
    self.seconds = seconds
  }

  /// Whether it is said at once, in place of the running one; otherwise once that one has ended.
  package func cutsOff(_ running: Cue) -> Bool {
    switch name {
    case .lastBall, .linkBack: [.lastBall, .linkLost, .linkBack].contains(running.name)
    // It often follows a stop by the machine's switch.
    case .linkLost: !running.isStop
    default: true
    }
  }

  private var isStop: Bool {
    switch name {
    case .stopping, .stopped, .stopUnconfirmed, .stopNotDelivered: true
    default: false
    }
  }
}
