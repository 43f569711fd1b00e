import CourtLogic
import Safety
import SessionLog

/// All keys that a configuration may have. Reading, checking, the example file and the
/// documentation come from here.
package enum ConfigurationSchema {
  /// In the order of the documentation.
  package static let sections: [ConfigurationSection] = [
    machine, court, limits, safety, control, positions, log, journal,
  ]

  package static let keys: [ConfigurationKey] = sections.flatMap(\.keys)

  /// The key with a path such as `court.apron`.
  package static func key(_ path: String) -> ConfigurationKey? { keys.first { $0.path == path } }

  private static let machine = ConfigurationSection(
    "machine",
    "Which machine, through which Bluetooth adapter",
    effect: .afterRestart,
    keys: [
      .value(
        "bus",
        .bus,
        \.machine.bus,
        "The D-Bus on which BlueZ is. Anything but system is for tests."
      ),
      .value(
        "adapter",
        .deviceAddress,
        \.machine.adapter,
        example: "AA:BB:CC:DD:EE:01",
        """
        The Bluetooth adapter to use, by its address, because hci0 is another one when it is \
        plugged in again. Without it: one that is on.
        """
      ),
      .value(
        "allow-other-adapter",
        .flag,
        \.machine.allowsOtherAdapter,
        "Whether another adapter may serve while the given one is missing."
      ),
      .value(
        "allow-power-cycle",
        .flag,
        \.machine.allowsPowerCycle,
        """
        Whether the adapter may be switched off and on after many failures, when no other device \
        is connected through it.
        """
      ),
      .value(
        "address",
        .deviceAddress,
        \.machine.address,
        example: "F0:F1:F2:F3:F4:F5",
        """
        The machine, by its Bluetooth address; then no other one is ever used. Without address \
        and name: the one of the last good link, else the only one in range that advertises a \
        ball machine's own service.
        """
      ),
      .value(
        "name",
        .text("text of 1 to 248 bytes in one line"),
        \.machine.name,
        example: "BallMachine",
        "The machine, by the name that it advertises."
      ),
      .value(
        "service",
        .uuid,
        \.machine.service,
        example: "\"12345678-1234-1234-1234-123456789abc\"",
        """
        A GATT service that is tried before the known ones, together with characteristic. A \
        machine that advertises it counts as a ball machine.
        """
      ),
      .value(
        "characteristic",
        .uuid,
        \.machine.characteristic,
        example: "abcd1234-1234-1234-1234-abcdef123456",
        "The characteristic of that service to which commands are written."
      ),
      .value(
        "stop-command",
        .command,
        \.machine.stopCommand,
        """
        What stops the machine, on every way out of feeding balls; the limits don't hold for it. That \
        a real machine stops on zeros is not verified: try it, with nobody in front of it. All zeros \
        by hand are a stop, whatever stands here.
        """
      ),
    ]
  )

  private static let court = ConfigurationSection(
    "court",
    "Where the court ends, and which command each zone has",
    effect: .atOnce,
    keys: [
      .value(
        "apron",
        .apron,
        \.court.court,
        """
        How far behind the baseline and beside the sidelines, in metres, a position still counts \
        for the nearest zone. Tennis players stand behind the baseline: 3 is a good value.
        """
      ),
      .value(
        "table",
        .path("the path of a CSV file"),
        \.court.table,
        example: "table.csv",
        """
        The zones' commands: a CSV file with the columns zone,command. A relative path begins at \
        the folder of the file that names it. Without it: the table that is built in.
        """
      ),
      .value(
        "fallback",
        .fallback,
        \.court.fallback,
        """
        What is sent for a player out of court: the command of a zone, or 18 digits, in quotes so \
        that nothing takes them for a number.
        """
      ),
    ]
  )

  private static let limits = ConfigurationSection(
    "limits",
    "What this machine takes, in its own raw units; a command outside is refused, never changed",
    effect: .atOnce,
    keys: [
      .value(
        "upper-motor",
        .bounds(in: MachineCommand.Field.upperMotor.range),
        \.limits.upperMotor,
        "Least and greatest speed of the upper motor. The stop command is exempt."
      ),
      .value(
        "lower-motor",
        .bounds(in: MachineCommand.Field.lowerMotor.range),
        \.limits.lowerMotor,
        "Least and greatest speed of the lower motor. The stop command is exempt."
      ),
      .value(
        "pitch",
        .bounds(in: MachineCommand.Field.pitch.range),
        \.limits.pitch,
        "Least and greatest pitch. The stop command is exempt."
      ),
      .value(
        "yaw",
        .bounds(in: MachineCommand.Field.yaw.range),
        \.limits.yaw,
        "Least and greatest yaw. The stop command is exempt."
      ),
    ]
  )

  private static let safety = ConfigurationSection(
    "safety",
    "When no ball flies",
    effect: .atOnce,
    keys: [
      .value(
        "countdown",
        .seconds(within: SafetyRules.countdowns),
        \.safety.countdown,
        "Seconds from arming to the first ball, and before each resumption."
      ),
      .value(
        "silence-before-countdown",
        .seconds(in: 1...3600),
        \.safety.silenceBeforeCountdown,
        """
        After so many seconds without a fresh position, the next one begins a countdown instead of \
        a ball.
        """
      ),
      .value(
        "silence-before-disarming",
        .seconds(in: 1...3600),
        \.safety.silenceBeforeDisarming,
        "After so many seconds without a fresh position, the bridge disarms."
      ),
      .value(
        "link-loss-before-disarming",
        .seconds(in: 0...3600),
        \.safety.linkLossBeforeDisarming,
        """
        A link that is back within so many seconds goes on after a countdown; one that isn't \
        disarms the bridge.
        """
      ),
      .value(
        "least-net-distance",
        .number("a number of metres", unit: "m", in: 0...Court.length),
        \.safety.leastNetDistance,
        """
        A player nearer to the net than so many metres holds fire; one behind the net always does.
        """
      ),
      .value(
        "greatest-speed",
        .number("a number of metres a second", unit: "m/s", in: 1...100),
        \.safety.greatestSpeed,
        "A player whose place jumps faster than so many metres a second holds fire."
      ),
      .value(
        "least-interval",
        .seconds(within: SafetyRules.leastIntervalOfTheLink ... .seconds(3600)),
        \.safety.leastInterval,
        """
        The least number of seconds from one ball to the next. Balls stand on a grid of 3 s, so that \
        4 means every second point of it. After a write that the machine answered late, the next \
        ball may skip a point: it keeps this distance from the answer too, less 0.25 s.
        """
      ),
      .value(
        "ball-limit",
        .integer("a whole number", in: 1...100_000),
        \.safety.ballLimit,
        example: "100",
        "After so many balls the bridge disarms. Without it: no limit."
      ),
      .value(
        "time-limit",
        .seconds(in: 1...86_400),
        \.safety.timeLimit,
        example: "1800",
        "So many seconds after arming, the bridge disarms. Without it: no limit."
      ),
      .value(
        "stop-on-the-way-out",
        .flag,
        \.safety.stopsOnTheWayOut,
        "Whether every way out of feeding balls writes the stop command to the machine."
      ),
    ]
  )

  private static let control = ConfigurationSection(
    "control",
    "Who may do what on the control socket; whoever can connect to it may stop",
    effect: .afterRestart,
    keys: [
      .value(
        "reader-group",
        .group,
        \.control.readerGroup,
        "This group may see the state. A group that doesn't exist lets nobody in."
      ),
      .value(
        "operator-group",
        .group,
        \.control.operatorGroup,
        "This group may also arm, disarm, pause, resume, reset and reload."
      ),
      .value(
        "technician-group",
        .group,
        \.control.technicianGroup,
        "This group may also send raw commands. Root and the service's own user always may."
      ),
    ]
  )

  private static let positions = ConfigurationSection(
    "positions",
    "Where the player's positions come from",
    effect: .afterRestart,
    keys: [
      .value(
        "source",
        .positions,
        \.positions.source,
        example: "unix:/run/ballmachine/positions.sock",
        """
        A file, a FIFO or a device, or unix:PATH for a socket on which any number of feeders may \
        write. Without it: the socket positions.sock in the runtime directory.
        """
      )
    ]
  )

  private static let log = ConfigurationSection(
    "log",
    "What is kept of each session",
    effect: .afterRestart,
    keys: [
      .value(
        "enabled",
        .flag,
        \.logsSessions,
        "Whether each session's positions, decisions, commands and changes are written to a file."
      ),
      .value(
        "directory",
        .path("the path of a folder"),
        \.log.directory,
        example: "/var/lib/ballmachine/sessions",
        "Where those files are. Without it: sessions in the state directory."
      ),
      .value(
        "total-size",
        .megabytes(in: LogOptions.sizes),
        \.log.totalSize,
        "All those files together have at most so many megabytes; the oldest are removed."
      ),
      .value(
        "position-interval",
        .seconds(in: 0...60),
        \.log.positionInterval,
        """
        Of one source, at most one position in so many seconds is kept; 0 keeps all of them. A replay \
        of a thinned log can decide otherwise than the session did.
        """
      ),
      .value(
        "phone-csv",
        .flag,
        \.log.writesPlayerPositions,
        """
        Whether there is a player_positions.csv too: timestamp,x,y once a second, as the phone app \
        writes it.
        """
      ),
    ]
  )

  private static let journal = ConfigurationSection(
    "journal",
    "What the service tells systemd's journal",
    effect: .afterRestart,
    keys: [
      .value(
        "level",
        .priority,
        \.journalLevel,
        """
        What matters less than this is not told: info has every ball and every change of the link, \
        notice arming, disarming, stops and commands by hand, warning what goes wrong, err what is \
        wrong with the service itself. The session log has everything all the same.
        """
      )
    ]
  )
}
