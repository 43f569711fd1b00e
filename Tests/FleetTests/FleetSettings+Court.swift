import Fleet

extension FleetSettings {
  /// Those of `court-1`, but for these changes.
  static func court1(_ change: (inout FleetSettings) -> Void = { _ in }) -> FleetSettings {
    var settings = FleetSettings()
    settings.court = "court-1"
    change(&settings)
    return settings
  }
}
