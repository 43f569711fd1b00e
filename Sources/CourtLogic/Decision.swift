package import Clocks

/// What ``LogicManager`` wants the machine to do, and why.
package struct Decision: Hashable, Sendable {
  /// When it was decided.
  package let time: MonotonicInstant
  /// The point of the grid that it belongs to: at most 100 ms before ``time``.
  package let due: MonotonicInstant
  /// The mean of the positions of the last second.
  package let position: PlayerPosition
  /// How many positions that mean is of.
  package let sampleCount: Int
  /// Where the player is; nil: out of court.
  package let zone: Zone?
  /// The zone that a drill aims at; nil without one: then ``command`` is that of ``zone``, or the
  /// fallback.
  package private(set) var target: Zone?
  package private(set) var command: MachineCommand

  /// The zone that the ball is for; nil: out of court.
  package var destination: Zone? { target ?? zone }

  /// A copy of this decision with another target and command.
  package func aimed(at target: Zone?, _ command: MachineCommand) -> Decision {
    var decision = self
    decision.target = target
    decision.command = command
    return decision
  }
}
