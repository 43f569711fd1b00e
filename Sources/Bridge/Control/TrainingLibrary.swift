package import ControlProtocol
package import CourtLogic
package import Training

/// Where the control socket finds drills. Each request may wait for a disk.
package protocol TrainingLibrary: Sendable {
  /// All drills.
  func drills() async -> Result<DrillsRecord, ControlError>
  /// Loads a drill for the next session; nil: none.
  func load(_ choice: ControlRequest.DrillChoice?) async -> TrainingReply
  /// Sets the level of what is loaded; nil: none.
  func loadLevel(_ level: SkillLevel?) async -> TrainingReply
}

/// What became of a drill or a level that was to be loaded.
package enum TrainingReply: Sendable {
  case loaded(TrainingStatus)
  case refused(ControlError)
}
