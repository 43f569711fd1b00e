package import ControlProtocol
package import CourtLogic
package import Training

/// Where the control socket finds drills. Its parts may wait for a disk.
package struct TrainingLibrary: Sendable {
  /// All drills.
  package var drills: @Sendable () async -> Result<DrillsRecord, ControlError>
  /// Loads a drill for the next session; nil: none.
  package var loadDrill: @Sendable (ControlRequest.DrillChoice?) async -> TrainingReply
  /// Sets the level of what is loaded; nil: none.
  package var loadLevel: @Sendable (SkillLevel?) async -> TrainingReply

  package init(
    drills: @escaping @Sendable () async -> Result<DrillsRecord, ControlError>,
    loadDrill: @escaping @Sendable (ControlRequest.DrillChoice?) async -> TrainingReply,
    loadLevel: @escaping @Sendable (SkillLevel?) async -> TrainingReply
  ) {
    self.drills = drills
    self.loadDrill = loadDrill
    self.loadLevel = loadLevel
  }
}

/// What became of a drill or a level that was to be loaded.
package enum TrainingReply: Sendable {
  case loaded(TrainingStatus)
  case refused(ControlError)
}
