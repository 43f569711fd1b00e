package import CourtLogic
package import Host
package import MachineLink
package import Positions
package import RunLog
package import Safety

/// All that a person sets about the bridge. A new one has the defaults.
package struct BridgeConfiguration: Hashable, Sendable {
  package var machine = MachineSettings()
  package var court = CourtSettings()
  package var logic = LogicSettings()
  package var levels = LevelSettings()
  /// What the machine takes: a table or a fallback outside these limits is refused.
  package var limits = FieldLimits()
  package var safety = SafetyRules()
  package var control = ControlSettings()
  package var positions = PositionSettings()
  /// Whether each run is logged, and how.
  package var logsRuns = true
  package var log = LogSettings()
  /// The lowest priority that goes to the journal.
  package var journalLevel = JournalPriority.information

  package init() {}

  /// The limits, and the encoding to which they apply.
  var machineLimits: MachineLimits { MachineLimits(machine.encoding, limits) }
}

/// Which bus, which adapter, and which machine.
package struct MachineSettings: Hashable, Sendable {
  /// `system`, `session` or a D-Bus address.
  package var bus = "system"
  /// The controller's address, in capital letters, or its name; nil: any.
  package var adapter: String?
  package var allowsOtherAdapter = false
  package var allowsPowerCycle = false
  /// The machine's address, in capital letters.
  package var address: String?
  package var name: String?
  /// Names by which machines are known, beside those that are built in.
  package var names: [NamePattern] = []
  /// UUIDs of a service and its command characteristic, tried before the known ones: both or none; or the
  /// characteristic's handle, which needs no service.
  package var service: String?
  package var characteristic: String?
  /// How it takes commands.
  package var encoding = MachineEncoding.digits
  /// How a framed command's check byte is computed.
  package var checkByte = CheckByte.modbus
  /// How long the machine turns for one unit of yaw, in seconds; nil: unknown. `slewPitch` is the
  /// same for pitch.
  var slewYaw: Double?
  var slewPitch: Double?
  package var slew: MachineSlew { MachineSlew(yaw: slewYaw, pitch: slewPitch) }
  /// The digits that stop it, to which no limits apply.
  var stopDigits = MachineCommand.stop
  /// What stops it.
  package var stopCommand: MachineCommand {
    encoding == .digits ? stopDigits : .stop(in: encoding)
  }

  package init() {}
}

/// Where the court and its zones end, and which command each zone has.
package struct CourtSettings: Hashable, Sendable {
  /// How far behind and beside the court a player still counts for the nearest zone, in metres,
  /// 0…50.
  package var apron = 0.0
  /// Nil: rows, and columns, of equal size.
  package var rows: ZoneEdges?
  package var columns: ZoneEdges?
  /// Nil: the table that is built in.
  package var table: String?
  package var fallback = Fallback.zone(.fallback)
  /// The file of the camera's calibration. Nil: picture points are refused.
  package var calibration: String?

  package init() {}

  package var court: Court {
    do throws(CourtError) {
      return try Court(apron: apron, rows: rows?.metres, columns: columns?.metres)
    } catch {
      preconditionFailure("“\(error)” was let pass")
    }
  }
}

/// When decisions are taken.
package struct LogicSettings: Hashable, Sendable {
  /// From one decision to the next; a greater ``SafetyRules/leastInterval`` counts instead.
  package var interval = LogicManager.standardInterval

  package init() {}

  package static let longestInterval = Duration.seconds(60)
}

/// What a skill level is without a drill: from one decision to the next. These are choices: no source
/// says what suits a level.
package struct LevelSettings: Hashable, Sendable {
  package private(set) var intervals: [SkillLevel: Duration] = [
    .beginner: .seconds(5), .intermediate: .seconds(4), .advanced: .seconds(3),
  ]

  package init() {}

  package subscript(level: SkillLevel) -> Duration {
    get { intervals[level] ?? LogicManager.standardInterval }
    set { intervals[level] = newValue }
  }
}

/// Which of the system's groups may do what on the control socket. A group that doesn't exist lets
/// no user in.
package struct ControlSettings: Hashable, Sendable {
  package var readerGroup = "ballmachine"
  package var operatorGroup = "ballmachine-operator"
  package var technicianGroup = "ballmachine-technician"

  package init() {}
}

/// Where `serve` takes positions from.
package struct PositionSettings: Hashable, Sendable {
  /// Nil: a Unix socket in the runtime directory.
  package var source: PositionSource?
  package var units = CourtFrame.Unit.metres
  package var origin = CourtFrame.Origin.corner
  package var axes = CourtFrame.Axes.asTheCourts
  package var scale = CourtFrame.Scale.one

  package init() {}

  /// What feeders' numbers mean, unless a feeder says so itself.
  package var frame: CourtFrame {
    get {
      var frame = CourtFrame(units, origin, axes)
      frame.scale = scale
      return frame
    }
    set {
      (units, origin, axes, scale) = (newValue.unit, newValue.origin, newValue.axes, newValue.scale)
    }
  }
}
