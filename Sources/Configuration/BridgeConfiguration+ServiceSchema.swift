import MachineLink
import Positions
import RunLog
import YAML

// What the service is to others: its sockets, its logs, its journal.

extension BridgeConfiguration {
  static let control = YAMLSection<Self>(
    "control",
    "What each group may do on the control socket; every client of it may stop",
    effect: .afterRestart,
    keys: [
      .value(
        "reader-group",
        .group,
        \.control.readerGroup,
        "This group may see the state. A group that doesn't exist allows no user."
      ),
      .value(
        "operator-group",
        .group,
        \.control.operatorGroup,
        "This group may also arm, disarm, pause, resume, reset, load drills and levels, and reload."
      ),
      .value(
        "technician-group",
        .group,
        \.control.technicianGroup,
        "This group may also send raw commands. Root and the service's own user always may."
      ),
    ]
  )

  static let positions = YAMLSection<Self>(
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
        write. Without it: the socket positions.sock in the runtime directory. The service can't \
        see /home, /root, /tmp and /dev, and makes sockets below /run/ballmachine and \
        /var/lib/ballmachine only, see Sandbox in ballmachine.yaml(5). A serial port is read byte \
        by byte, without an echo, at the speed that it has, from its first whole line on.
        """
      ),
      .value(
        "units",
        .units,
        \.positions.units,
        """
        The unit of x and y. This and the next three keys say what feeders' numbers mean; a feeder that \
        declares any of the four in a line of its own says all of them.
        """
      ),
      .value(
        "origin",
        .origin,
        \.positions.origin,
        """
        Where 0,0 is: corner, the net's left corner as the player's camera sees it; centre, the middle of \
        the net; a corner of the whole doubles court as that camera sees it, such as far-left; or X,Y in \
        metres of the court.
        """
      ),
      .value(
        "axes",
        .axes,
        \.positions.axes,
        """
        Which of a feeder's axes runs to the right, and which from the net to the baseline; a minus: \
        against it.
        """
      ),
      .value(
        "scale",
        .scale,
        \.positions.scale,
        "What x and y are multiplied by first: a number, or two. Parts of the half: 8.23,11.885."
      ),
    ]
  )

  static let log = YAMLSection<Self>(
    "log",
    "The log of each session",
    effect: .afterRestart,
    keys: [
      .value(
        "enabled",
        .flag,
        \.logsRuns,
        "Whether each session's positions, decisions, commands and changes are written to a file."
      ),
      .value(
        "directory",
        .path("the path of a folder"),
        \.log.directory,
        example: "/var/lib/ballmachine/sessions",
        """
        The folder of those files. Without it: sessions in the state directory. The service can \
        write below /var/lib/ballmachine and /run/ballmachine only, see Sandbox in \
        ballmachine.yaml(5).
        """
      ),
      .value(
        "total-size",
        .megabytes(in: LogSettings.sizes),
        \.log.totalSize,
        """
        All those files together have at most this many megabytes; the oldest are removed. There \
        are at most \(LogDirectory.mostFiles) files: those of starts without a session go first.
        """
      ),
      .value(
        "position-interval",
        .seconds(in: 0...60),
        \.log.positionInterval,
        """
        At most one position of a source is kept in this many seconds; 0 keeps all of them. A \
        replay of a thinned log can decide differently from the session.
        """
      ),
      .value(
        "phone-csv",
        .flag,
        \.log.writesPlayerPositions,
        """
        Whether player_positions.csv is written too: timestamp,x,y once a second, as the phone \
        app writes it.
        """
      ),
    ]
  )

  static let journal = YAMLSection<Self>(
    "journal",
    "What the service writes to systemd's journal",
    effect: .afterRestart,
    keys: [
      .value(
        "level",
        .priority,
        \.journalLevel,
        """
        The least important level that is written: info has every ball and every change of the \
        link, notice arming, disarming, stops and commands by hand, warning what goes wrong, err \
        faults of the service itself. The session log always has everything.
        """
      )
    ]
  )
}
