import CourtLogic
import MachineLink
import RunLog
import Safety
package import YAML

extension BridgeConfiguration: YAMLDocument {
  package static let schema = YAMLSchema<Self>(
    of: "a configuration",
    typicalKey: "court",
    [machine, court, logic, levels, limits, safety, control, positions, log, journal]
  )

  private static let machine = YAMLSection<Self>(
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
        .adapter,
        \.machine.adapter,
        example: "AA:BB:CC:DD:EE:01",
        """
        The address of the Bluetooth adapter to use. A name such as hci1, or its D-Bus path, does \
        only where two adapters have the same address, or one has none: the name may be another \
        adapter's after a restart. Without this key: the one that knows the machine from its last \
        good link, or else one that is on and can serve.
        """
      ),
      .value(
        "allow-other-adapter",
        .flag,
        \.machine.allowsOtherAdapter,
        "Whether another adapter may be used while the given one is missing or can't serve."
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
        The Bluetooth address of the machine; then no other one is ever used. Without address and \
        name: the machine of the last good link. If there is none: the only one in range that was \
        adopted, or that has a known name and advertises a service that is typical of machines.
        """
      ),
      .value(
        "name",
        .text("text of 1 to 248 bytes in one line"),
        \.machine.name,
        example: "BallMachine",
        "The name that the machine advertises."
      ),
      .value(
        "names",
        .namePatterns,
        \.machine.names,
        example: "[\"Court *\"]",
        """
        Names by which ball machines are known, beside \
        \(NamePattern.known.map { "\($0)" }.joined(separator: ", ")); \
        * at the end stands for any text. A device with such a name that advertises a typical service \
        counts as a ball machine without `ballmachine adopt`. Name only what no other device is called.
        """
      ),
      .value(
        "service",
        .uuid,
        \.machine.service,
        example: "\"12345678-1234-1234-1234-123456789abc\"",
        """
        A GATT service that is tried before the known ones, together with characteristic. It does \
        not say which device is the machine.
        """
      ),
      .value(
        "characteristic",
        .characteristic,
        \.machine.characteristic,
        example: "abcd1234-1234-1234-1234-abcdef123456",
        """
        The characteristic of that service to which commands are written. Where several have equal \
        UUIDs: its handle, such as 0x0011, or its path; then no service is needed.
        """
      ),
      .value(
        "encoding",
        .word,
        \.machine.encoding,
        """
        How the machine takes commands: digits, or framed: 10 bytes with a check byte, which the \
        machine answers. Not tried on a real framed machine: whether it feeds one ball for a \
        command, or feeds until it is stopped, is unverified.
        """
      ),
      .value(
        "check-byte",
        .word,
        \.machine.checkByte,
        """
        The check byte of a framed command: modbus, the low byte of CRC-16/Modbus, as the maker's app \
        computes it, or xor, as the maker's documents say. `doctor` reports the other one in \
        answers.
        """
      ),
      .value(
        "slew-yaw",
        .slew,
        \.machine.slewYaw,
        example: "0.2",
        """
        How long the machine takes to turn sideways by one unit of yaw, in milliseconds. Where a \
        drill's next ball needs a longer turn than its interval allows, the interval gets longer. \
        Measure it: 1500 ms from yaw 1000 to 8500 is 0.2. Without it: no time is kept for turns.
        """
      ),
      .value(
        "slew-pitch",
        .slew,
        \.machine.slewPitch,
        example: "0.5",
        "The same for one unit of pitch. The machine turns both ways at once: the longer time counts."
      ),
      .value(
        "stop-command",
        .command,
        \.machine.stopDigits,
        """
        The command that stops the machine, sent on every way out of feeding balls; the limits \
        don't apply to it. It is not verified that a real machine stops on zeros: try it on a \
        clear court. Zeros sent by hand are always a stop, whatever this key says.
        """
      ),
    ]
  )

  private static let court = YAMLSection<Self>(
    "court",
    "The edges of the court and of its zones, and the command of each zone",
    effect: .atOnce,
    keys: [
      .value(
        "apron",
        .number("a number of metres", unit: "m", in: 0...Court.greatestApron),
        \.court.apron,
        example: "3",
        """
        How far behind the baseline and beside the sidelines, in metres, a position still counts \
        for the nearest zone. Tennis players stand behind the baseline: 3 is a good value.
        """
      ),
      .value(
        "rows",
        .edges(of: .rows),
        \.court.rows,
        example: "[0, 2.377, 6.394, 8.32, 11.885]",
        """
        The edges of the four rows of zones, in metres from the net, at least 0.3 apart. Each edge \
        belongs to the row behind it. The example has the rows of a later app of a machine's maker, \
        with edges at 20, 53.8 (the service line) and 70 % of the length. Without it: equal rows.
        """
      ),
      .value(
        "columns",
        .edges(of: .columns),
        \.court.columns,
        example: "[0, 1.5, 4.115, 6.73, 8.23]",
        """
        The edges of the four columns of zones, in metres from the left sideline, as those of rows. \
        Without it: equal columns.
        """
      ),
      .value(
        "table",
        .path("the path of a CSV file"),
        \.court.table,
        example: "table.csv",
        """
        The zones' commands: a CSV file with the columns zone,command, or \
        zone,upper,lower,pitch,yaw,feed for a framed machine; behind zone it may have level, spin \
        or both. A relative path starts at the folder of the file that names it. Without it: the \
        built-in table. The service can't see /home, /root, /tmp and /dev, see Sandbox in \
        ballmachine.yaml(5).
        """
      ),
      .value(
        "fallback",
        .fallback,
        \.court.fallback,
        """
        The command for a player out of court: that of a zone, or one of its own: digits need \
        quotes, because YAML would read them as a number.
        """
      ),
      .value(
        "calibration",
        .path("the path of a calibration"),
        \.court.calibration,
        example: "court.yaml",
        """
        Where marks of the court are in a camera's picture: a YAML file, for feeders that send \
        picture points. It can't change while balls may fly. Without it: such points are refused. \
        It must be where the service can see it, as table.
        """
      ),
    ]
  )

  private static let logic = YAMLSection<Self>(
    "logic",
    "When a ball is decided",
    effect: .atOnce,
    keys: [
      .value(
        "interval",
        .seconds(within: MachineEncoding.framed.leastInterval...LogicSettings.longestInterval),
        \.logic.interval,
        """
        Seconds from one ball to the next, on a grid that does not drift. It can't be less than \
        safety.least-interval; a greater one counts if this key is not set.
        """
      )
    ]
  )

  private static let levels = YAMLSection<Self>(
    "levels",
    "What a skill level is without a drill",
    effect: .atOnce,
    keys: SkillLevel.allCases.map { level in
      .value(
        level.rawValue,
        .seconds(within: MachineEncoding.framed.leastInterval...LogicSettings.longestInterval),
        \.levels[level],
        """
        Seconds from one ball to the next once `ballmachine level \(level.rawValue)` was given. The \
        commands are those of this level in court.table, if it has levels.
        """
      )
    }
  )

  private static let limits = YAMLSection<Self>(
    "limits",
    "What this machine accepts, in its own units; a command outside is refused, never changed",
    effect: .atOnce,
    keys: ([
      ("upper-motor", .upper, "speed of the upper motor. The stop command is exempt."),
      ("lower-motor", .lower, "speed of the lower motor. The stop command is exempt."),
      ("pitch", .pitch, "pitch. The stop command is exempt."),
      ("yaw", .yaw, "yaw. The stop command is exempt."),
      ("feed", .feed, "feed speed, which only framed commands have."),
    ] as [(String, MachineCommand.Field, String)]).map { name, field, range in
      .value(name, .bounds(in: field.widest), \.limits[field], "Least and greatest \(range)")
    }
  )

  private static let safety = YAMLSection<Self>(
    "safety",
    "When balls are held back, and when the bridge disarms",
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
        After this many seconds without a fresh position, the next position starts a countdown \
        instead of a ball.
        """
      ),
      .value(
        "silence-before-disarming",
        .seconds(in: 1...3600),
        \.safety.silenceBeforeDisarming,
        "After this many seconds without a fresh position, the bridge disarms."
      ),
      .value(
        "link-loss-before-disarming",
        .seconds(in: 0...3600),
        \.safety.linkLossBeforeDisarming,
        """
        If a lost link is back within this many seconds, feeding continues after a countdown; \
        otherwise the bridge disarms.
        """
      ),
      .value(
        "least-net-distance",
        .number("a number of metres", unit: "m", in: 0...Court.length),
        \.safety.leastNetDistance,
        """
        No ball while the player is nearer to the net than this many metres, nor ever while the \
        player is behind the net.
        """
      ),
      .value(
        "greatest-speed",
        .number("a number of metres a second", unit: "m/s", in: 1...100),
        \.safety.greatestSpeed,
        "No ball while the player's position jumps faster than this many metres a second."
      ),
      .value(
        "least-interval",
        .seconds(within: MachineEncoding.framed.leastInterval ... .seconds(3600)),
        \.safety.leastInterval,
        """
        The least number of seconds from one ball to the next, those by hand too; \
        \(MachineEncoding.digits.leastInterval / .seconds(1)) or more \
        unless the machine is a framed one. An automatic ball \
        that would come sooner waits at most 0.1 s, or skips a point of the grid: 0.05 less than \
        logic.interval leaves room for a late one. After a write that the machine answered late, \
        the next ball also keeps this interval, less 0.25 s, from the answer.
        """
      ),
      .value(
        "ball-limit",
        .integer("a whole number", in: 1...100_000),
        \.safety.ballLimit,
        example: "100",
        "The bridge disarms after this many balls. Without it: no limit."
      ),
      .value(
        "time-limit",
        .seconds(in: 1...86_400),
        \.safety.timeLimit,
        example: "1800",
        """
        The bridge disarms this many seconds after arming. Without it: no limit. It ends a session whose \
        detector hangs at a place where the player was, which nothing else may notice.
        """
      ),
      .value(
        "stop-on-the-way-out",
        .flag,
        \.safety.stopsOnTheWayOut,
        "Whether every way out of feeding balls writes the stop command to the machine."
      ),
    ]
  )
}
