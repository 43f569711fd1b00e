package import Clocks
package import CourtLogic
package import Host
package import MachineLink
package import Positions
package import Safety
package import Training

extension BridgeMachine {
  /// The number of a request. The reply to it has the same one.
  package struct RequestID: Hashable, Sendable {
    let number: UInt64

    package init(number: UInt64) { self.number = number }
  }

  /// What happens to the bridge.
  package enum Event: Sendable {
    /// Nothing else has happened.
    case timePassed
    case link(LinkStatus)
    case positions(PositionEvent)

    /// A person's request.
    ///
    /// - Parameters:
    ///   - client: the number of the client that what is armed or resumed depends on; nil: it needs none.
    ///   - objection: what the sockets know against it: a stop came later, or its client has gone. A stop is
    ///     done all the same.
    case asked(RequestID, SafetyRequest, while: Int?, against: SafetyRefusal?)
    /// A person has confirmed one command by hand. The stop command is a stop.
    case askedByHand(RequestID, MachineCommand, against: SafetyRefusal?)
    /// - Parameter old: the plan that has to be loaded still; nil: any.
    case askedToLoad(RequestID, TrainingPlan, replacing: TrainingPlan?)
    /// A stop that gets no reply.
    case stopCame
    /// The connection of the client with this number has ended.
    case clientGone(Int)
    /// New clients can reach the service, or can't any more.
    case reachable(Bool)
    /// - Parameter lost: is what is lost: it is loaded if these settings allow it.
    case reconfigured(BridgeSettings, finding: TrainingPlan?)

    /// The write of a ball's command has its outcome.
    ///
    /// - Parameter expectsAnswer: whether the machine's own answer follows.
    case landed(SafetyCore.Ball, WriteOutcome, expectsAnswer: Bool)
    case answered(SafetyCore.Ball, MachineAnswer)
    /// - Parameters:
    ///   - machine: the one that is linked, which the link's status may tell only later.
    ///   - holder: another process that has the machine.
    case stopEnded(WriteOutcome, by: RememberedMachine?, against: MachineHolder?)
    /// ``BridgeMachine/isStopUnsettled(at:)``: what the link knows of the stop command by now.
    ///
    /// - Parameter failure: why it does not get through on this link; nil if that isn't known.
    case stopUnsettled(failure: WriteOutcome?, mayHaveArrived: Bool)

    /// End once no ball is on its way.
    case windDown
    /// End now: by a person, or because the service can't do its work.
    case giveUp(isInterruption: Bool)
    /// ``Action/end`` was carried out: nothing but the link's end is left.
    case close
    /// The link has ended, and every outcome has come.
    case closed
  }

  /// What the bridge's owner does.
  package enum Action: Sendable {
    /// Write the ball's command now, so that nothing comes between the decision and the link;
    /// ``Event/landed(_:_:expectsAnswer:)`` follows.
    case launch(SafetyCore.Ball, MachineCommand, decidedAt: MonotonicInstant)
    /// Write the stop command, on the next link if there is none now;
    /// ``Event/stopEnded(_:by:against:)`` follows.
    case writeStop
    /// Write the stop command as the link's last write; the same event follows.
    case writeLastStop
    /// Keep on disk whether the machine is owed a stop command.
    case keepDebt(Bool, to: RememberedMachine)
    case publish(BridgeEvent)
    /// Publish one of the player's positions to those who follow the player.
    case publishPosition(BridgeEvent)
    case reply(RequestID, SafetyReply)
    case replyByHand(RequestID, ManualReply)
    /// What is loaded; nil: another plan was, so that nothing has changed.
    case replyToLoad(RequestID, Result<TrainingStatus?, TrainingRefusal>)
    /// Tell the owner that a countdown or feeding begins.
    case ballsMayFly
    /// The run is over: ``Event/close`` follows.
    case end
  }
}
