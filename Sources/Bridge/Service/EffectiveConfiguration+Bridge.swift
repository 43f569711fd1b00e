package import Configuration
package import Host

extension EffectiveConfiguration {
  /// The settings that a running bridge can take.
  package var bridge: BridgeSettings {
    BridgeSettings(
      decisions,
      levels: values.levels.intervals,
      limits: limits,
      rules: values.safety
    )
  }
}

extension BridgeService.Options {
  /// The options that a configuration gives.
  package init(
    _ configuration: EffectiveConfiguration,
    armsAtStart: Bool,
    duration: Duration? = nil,
    heartbeat: Heartbeat? = nil
  ) {
    self.init(
      logic: configuration.logic,
      rules: configuration.values.safety,
      armsAtStart: armsAtStart,
      duration: duration,
      heartbeat: heartbeat
    )
    machine.limits = configuration.limits
    machine.slew = configuration.values.machine.slew
    machine.encoding = configuration.values.machine.encoding
    machine.stopCommand = configuration.values.machine.stopCommand
  }
}
