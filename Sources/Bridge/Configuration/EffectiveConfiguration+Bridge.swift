extension EffectiveConfiguration {
  /// What a bridge that runs may be given anew.
  package var bridge: BridgeSettings {
    BridgeSettings(
      court: values.court.court,
      table: table,
      fallback: fallback,
      limits: values.limits,
      rules: values.safety
    )
  }
}

extension BridgeService.Options {
  /// A bridge that goes by a configuration.
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
    limits = configuration.values.limits
    stopCommand = configuration.values.machine.stopCommand
  }
}
