import CourtLogic
import Safety
import YAML

/// A rule for the values of several keys, which no single key can check.
struct ConfigurationRule: Sendable {
  /// The paths of the keys. The problem is reported at the first one that is set.
  let keys: [String]
  /// Whether it applies only if the first key is set.
  var isForSetKey = false
  /// What is wrong, if anything.
  let check: @Sendable (BridgeConfiguration) -> String?

  func problem(
    of values: BridgeConfiguration,
    _ origins: [String: ConfigurationOrigin]
  ) -> YAMLProblem? {
    guard !isForSetKey || origins[keys[0]] != nil else { return nil }
    return check(values).map { text in
      YAMLProblem(at: keys.lazy.compactMap { origins[$0]?.place }.first, text)
    }
  }

  /// The keys that limit which commands the machine takes.
  static let limits = [
    "limits.upper-motor", "limits.lower-motor", "limits.pitch", "limits.yaw", "limits.feed",
  ]

  static let all: [ConfigurationRule] = [
    ConfigurationRule(keys: ["machine.service", "machine.characteristic"]) { values in
      (values.machine.service == nil) == (values.machine.characteristic == nil)
        || values.machine.characteristic.map(MachineSettings.isHandle) == true
        ? nil : "machine.service and machine.characteristic go together: give both or none"
    },
    ConfigurationRule(
      keys: ["safety.silence-before-disarming", "safety.silence-before-countdown"]
    ) { values in
      values.safety.silenceBeforeDisarming >= values.safety.silenceBeforeCountdown
        ? nil
        : "safety.silence-before-disarming is less than safety.silence-before-countdown,"
          + " which would never take effect"
    },
    ConfigurationRule(keys: ["safety.least-interval"]) { values in
      let least = values.machine.encoding.leastInterval
      return values.safety.leastInterval >= least
        ? nil
        : "safety.least-interval is less than \(least / .seconds(1)) s, the least with machine.encoding"
          + " \(values.machine.encoding.rawValue)"
    },
    ConfigurationRule(
      keys: ["logic.interval", "safety.least-interval"],
      isForSetKey: true
    ) { values in
      values.logic.interval >= values.safety.leastInterval
        ? nil : "logic.interval is less than safety.least-interval"
    },
    ConfigurationRule(keys: ["court.fallback"] + limits) { values in
      guard case .command(let command) = values.court.fallback else { return nil }
      do throws(MachineLimitError) { try values.machineLimits.check(command) } catch {
        return "court.fallback: \(error)"
      }
      return nil
    },
    ConfigurationRule(keys: ["machine.stop-command", "machine.encoding"]) { values in
      values.machine.encoding == .digits || values.machine.stopDigits.isStop
        ? nil : "machine.stop-command is for the encoding digits: a framed machine has its own stop"
    },
    ConfigurationRule(keys: ["machine.encoding"]) { values in
      values.machine.encoding == .digits || values.court.table != nil
        ? nil
        : "machine.encoding framed needs a table of its own, court.table: the built-in one has digits"
    },
  ]
}
