import Host
package import YAML

/// The effect of a configuration that is read again while the bridge runs: some keys count from
/// the next decision on, the others only after a restart.
package struct ConfigurationReload: Hashable, Sendable {
  package struct Change: Hashable, Sendable, CustomStringConvertible {
    /// The key's path.
    package let path: String
    /// The values as YAML.
    package let old: String
    package let new: String
    package let effect: YAMLEffect

    package var description: String {
      "\(path): \(old) → \(new)" + (effect == .atOnce ? "" : ", after a restart")
    }
  }

  /// The changes, in the schema's order.
  package let changes: [Change]
  /// The configuration that the bridge runs with now: the new one, with the old values of keys that
  /// need a restart.
  package let running: EffectiveConfiguration

  /// - Parameters:
  ///   - old: what the bridge runs with.
  ///   - new: what the files and the command line say now. If that is not valid, there is no
  ///     reload, and the old configuration stays.
  package init(from old: EffectiveConfiguration, to new: EffectiveConfiguration) {
    var running = new
    var changes: [Change] = []
    // Another encoding waits for the link that writes it, and so does all that is said in it.
    let waitsForEncoding = old.values.machine.encoding != new.values.machine.encoding
    if waitsForEncoding { running.table = old.table }
    for key in BridgeConfiguration.schema.keys {
      let effect =
        waitsForEncoding && Self.dependsOnEncoding(key.path)
        ? .afterRestart : key.effect
      let (before, now) = (key.yaml(old.values), key.yaml(new.values))
      if before == now, let content = Self.otherContent(of: key.path, from: old, to: new) {
        changes.append(Change(path: key.path, old: before, new: content, effect: effect))
      }
      guard before != now else { continue }
      changes.append(Change(path: key.path, old: before, new: now, effect: effect))
      if effect == .afterRestart { key.copy(old.values, &running.values) }
    }
    self.changes = changes
    emptied = Self.emptied(from: old, to: new)
    changesCalibration = old.calibration != running.calibration
    self.running = running
  }

  /// Commands, their limits, and how fast they may follow each other.
  private static func dependsOnEncoding(_ key: String) -> Bool {
    ["court.table", "court.fallback", "logic.interval", "safety.least-interval"].contains(key)
      || key.hasPrefix("levels.") || key.hasPrefix("limits.")
  }

  /// What has changed in a file whose path is the same.
  private static func otherContent(
    of key: String,
    from old: EffectiveConfiguration,
    to new: EffectiveConfiguration
  ) -> String? {
    switch key {
    case "court.table": old.table == new.table ? nil : "other commands"
    case "court.calibration": old.calibration == new.calibration ? nil : "other points"
    default: nil
    }
  }

  /// What is blank or gone now of the files that were read before, a sentence each. An editor may be
  /// about to write them, and without them the defaults would be in force.
  package let emptied: [String]

  private static func emptied(
    from old: EffectiveConfiguration,
    to new: EffectiveConfiguration
  ) -> [String] {
    let had = old.files.filter { !old.blankFiles.contains($0) }
    let blank = had.filter(new.blankFiles.contains).map { "\($0) has nothing but blanks" }
    // To remove a drop-in is how its keys are given up; to lose the main file, or all, is not.
    let gone = had.filter { file in
      !new.files.contains(file) && (file == old.mainFile || new.files.isEmpty)
    }
    return blank + gone.map { "\($0) is gone" }
  }

  /// Whether picture points mean other places than before.
  package let changesCalibration: Bool

  /// Why the bridge can't run like that: the new commands and the old stop command don't go together.
  package var problem: YAMLProblem? { running.stopProblem }

  /// Whether any change applies without a restart.
  package var appliesAtOnce: Bool { changes.contains { $0.effect == .atOnce } }
  /// The paths of the keys that wait for a restart.
  package var waiting: [String] { changes.filter { $0.effect == .afterRestart }.map(\.path) }
}
