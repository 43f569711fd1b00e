package import ControlProtocol
package import CourtLogic
package import Training

/// Where the control socket finds drills. Each request may wait for a disk.
package protocol TrainingLibrary: Sendable {
  /// All drills.
  func drills() async throws(ControlError) -> DrillsRecord
  /// Loads a drill for the next session; nil: none.
  func load(_ choice: ControlRequest.DrillChoice?) async throws(ControlError) -> TrainingStatus
  /// Sets the level of what is loaded; nil: none.
  func loadLevel(_ level: SkillLevel?) async throws(ControlError) -> TrainingStatus
}
