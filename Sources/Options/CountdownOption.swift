package import Programs
package import Safety

/// How long it takes from arming to the first ball.
package struct CountdownOption {
  /// Nil: the configuration's.
  package var countdown: Duration?

  package init(countdown: Duration? = nil) { self.countdown = countdown }

  /// - Parameter seconds: the default, for the help.
  package static func option(_ seconds: String) -> Option<CountdownOption> {
    .value(
      "countdown",
      .countdown,
      \.countdown,
      "Count down this many seconds from arming to the first ball (default \(seconds))"
    )
  }

  /// A person's, for one time.
  package static func once<Command>(
    _ countdown: Property<Command, Duration?>
  ) -> Option<Command> {
    .value(
      "countdown",
      .countdown,
      countdown,
      "Count down this many seconds to the first ball (default: the configuration's)"
    )
  }

  /// - Parameter seconds: without the option's name.
  package static func validate(
    _ seconds: Duration?,
    _ countdown: Duration?,
    of command: String
  ) throws(UsageError) {
    guard seconds == nil || countdown == nil else {
      throw UsageError(
        "give the seconds once: either `\(command) 5' or `\(command) --countdown 5'"
      )
    }
  }

  /// The option overrides the configuration.
  package func override(_ rules: inout SafetyRules) {
    rules.countdown = countdown ?? rules.countdown
  }
}

extension ValueKind where Value == Duration {
  /// A countdown in seconds, 0 too.
  package static var countdown: ValueKind {
    let range = SafetyRules.countdowns
    return .seconds(in: (range.lowerBound / .seconds(1))...(range.upperBound / .seconds(1)))
  }
}
