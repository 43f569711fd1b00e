import ControlProtocol
import CourtLogic
import Foundation
import Host
import Programs
import Terminal
import Testing

@testable import Reports

struct LiveViewTests {
  private static let bare = TerminalAbilities(colours: false, unicode: true)

  private static func status(_ link: String, t: Double = 0, mode: String = "REAL") -> StatusRecord {
    var status = StatusRecord(
      version: "0.1.0",
      t: t,
      uptime: t,
      safety: SafetyRecord(state: "live"),
      link: LinkRecord(state: link),
      court: StatusRecord.Court(apron: 0),
      counts: CountsRecord()
    )
    status.mode = mode
    return status
  }

  private func feeding() -> LiveViewState {
    var status = Self.status("ready", t: 42, mode: "SIM")
    status.link.name = "Mock"
    status.link.machine = "F0:F1:F2:F3:F4:F5"
    status.court.apron = 3
    status.player = StatusRecord.Player(x: 4.1, y: 13.2, samples: 24, zone: "3-1")
    status.nextDecision = 1.8
    var dispatch = DispatchRecord(
      number: 15,
      decision: DecisionRecord(
        t: 40.8,
        x: 4.1,
        y: 13.2,
        samples: 24,
        zone: "3-1",
        command: "118001076018008500"
      )
    )
    dispatch.outcome = OutcomeRecord(outcome: "delivered", reason: nil)
    dispatch.latency = 0.012
    status.lastDispatch = dispatch
    status.counts.outcomes.delivered = 14
    status.counts.outcomes.unknown = 1
    status.counts.positions = 1008
    status.counts.badLines = 2
    var state = LiveViewState(status)
    state.isSelfArming = true
    state.duration = .seconds(90)
    state.speed = 4
    return state
  }

  @Test func aFrameOfAFeedingBridge() throws {
    let frame = LiveView.frame(feeding(), width: 80, height: 21, abilities: Self.bare)
    #expect(
      frame.joined(separator: "\n") == """
         SIM   Ball machine bridge                                      0:42 of 1:30  ×4

        ·        ══════════ net ══════════        ·   Link      ready
        ·        │ 0-0 │ 0-1 │ 0-2 │ 0-3 │        ·     Mock F0:F1:F2:F3:F4:F5
        ·        │     │     │     │     │        ·   Player    x 4.10  y 13.20  of 24
        ·        ├─────┼─────┼─────┼─────┤        ·   Zone      3-1
        ·        │ 1-0 │ 1-1 │ 1-2 │ 1-3 │        ·   Next ball 1.8 s ████░░░░░░
        ·        │     │     │     │     │        ·
        ·        ├─────┼─────┼─────┼─────┤        ·   Last      118001076018008500
        ·        │ 2-0 │ 2-1 │ 2-2 │ 2-3 │        ·     upper motor  11800
        ·        │     │     │     │     │        ·     lower motor  10760
        ·        ├─────┼─────┼─────┼─────┤        ·     pitch         1800
        ·        │ 3-0 │░3-1░│ 3-2 │ 3-3 │        ·     yaw           8500
        ·        │     │░░░░░│     │     │        ·     delivered, 12 ms
        ·        └─────┴─────┴─────┴─────┘        ·     zone 3-1, 1.2 s ago
        ·                                         ·
        ·                   ●                     ·   delivered 14     queued    0
        ·                                         ·   not sent  0      unknown   1
        · · · · · · · · · · · · · · · · · · · · · ·   positions 1008   refused   2

        Ctrl-C ends it, with a stop command to the machine.
        """
    )
  }

  @Test func aFrameBeforeAnythingWorks() {
    var status = Self.status("waitingForAdapter", t: 3)
    status.link.reason = "no Bluetooth adapter"
    status.link.remedy = "line 7: not valid JSON"
    var state = LiveViewState(status)
    state.isSelfArming = true
    state.holding = "the machine is not ready"
    let frame = LiveView.frame(state, width: 80, height: 21, abilities: Self.bare)
    #expect(
      frame.joined(separator: "\n") == """
         REAL   Ball machine bridge                                                 0:03

                 ══════════ net ══════════            Link      waiting for an adapter
                 │ 0-0 │ 0-1 │ 0-2 │ 0-3 │              no Bluetooth adapter
                 │     │     │     │     │            Player    not seen
                 ├─────┼─────┼─────┼─────┤            Zone      -
                 │ 1-0 │ 1-1 │ 1-2 │ 1-3 │            Next ball the machine is not ready
                 │     │     │     │     │
                 ├─────┼─────┼─────┼─────┤            Last      no command yet
                 │ 2-0 │ 2-1 │ 2-2 │ 2-3 │
                 │     │     │     │     │
                 ├─────┼─────┼─────┼─────┤
                 │ 3-0 │ 3-1 │ 3-2 │ 3-3 │
                 │     │     │     │     │
                 └─────┴─────┴─────┴─────┘

                                                      delivered 0      queued    0
                                                      not sent  0      unknown   0
                                                      positions 0      refused   0
        line 7: not valid JSON
        Ctrl-C ends it, with a stop command to the machine.
        """
    )
  }

  @Test func whereThereIsRoomMoreIsToldOfTheLink() throws {
    var state = feeding()
    func panel(_ height: Int) -> [String] {
      LiveView.frame(state, width: 80, height: height, abilities: Self.bare).dropFirst(2).map {
        String($0.dropFirst(46)).trimmingCharacters(in: .whitespaces)
      }
    }
    let since = try #require(WallTime(iso8601: "2026-11-21T13:03:22Z"))
    state.status.link.profile = "ball-machine"
    state.status.link.since = since
    state.status.link.rssi = -60
    state.status.link.rssiAge = 1
    state.status.link.adapter = "hci0"
    #expect(
      panel(24).prefix(6) == [
        "Link      ready", "Mock F0:F1:F2:F3:F4:F5", "profile ball-machine",
        "since \(since.local)", "signal -60 dBm", "Player    x 4.10  y 13.20  of 24",
      ]
    )
    state.status.link.reason = "the machine's services were not resolved in time"
    #expect(
      panel(24).prefix(6) == [
        "Link      ready", "the machine's services were not", "resolved in time",
        "profile ball-machine", "since \(since.local)", "Player    x 4.10  y 13.20  of 24",
      ]
    )
    #expect(panel(21)[2] == "Player    x 4.10  y 13.20  of 24")
    // Nothing moves when there is less to tell.
    state.status.link = LinkRecord(state: "discovering")
    #expect(panel(24)[5] == "Player    x 4.10  y 13.20  of 24")
  }

  @Test(arguments: [
    (42, 90, "0:42 of 1:30"), (62, 60, "1:00 of 1:00"), (4_215, nil, "1:10:15"),
  ])
  func theTimeThatHasPassed(_ elapsed: Int, _ duration: Int?, _ text: String) throws {
    var state = feeding()
    (state.status.uptime, state.duration, state.speed) = (
      Double(elapsed), duration.map { .seconds($0) }, 1
    )
    let frame = LiveView.frame(state, width: 40, height: 8, abilities: Self.bare)
    #expect(frame.first?.hasSuffix("  \(text)") == true)
  }

  @Test func aSmallTerminalShowsThePanelAlone() throws {
    let frame = LiveView.frame(feeding(), width: 40, height: 8, abilities: Self.bare)
    #expect(
      frame.joined(separator: "\n") == """
         SIM                    0:42 of 1:30  ×4

        Link      ready
          Mock F0:F1:F2:F3:F4:F5
        Player    x 4.10  y 13.20  of 24

        Ctrl-C ends it, with a stop command to
        the machine.
        """
    )
  }

  @Test func noReasonIsCutOffBesideTheCourt() throws {
    var state = feeding()
    state.keys = .stopsAndLeaves
    state.isSelfArming = false
    state.status.safety.state = "stopped"
    state.status.safety.reason = "the machine has acknowledged the stop command"
    state.holding = "paused: no player is seen"
    let frame = LiveView.frame(state, width: 80, height: 21, abilities: Self.bare)
    let panel = frame.map { $0.dropFirst(46).trimmingCharacters(in: .whitespaces) }
    #expect(
      panel[4...11] == [
        "Arming    stopped: the machine has", "acknowledged the stop", "command",
        "Player    x 4.10  y 13.20  of 24", "Zone      3-1", "Next ball paused: no player is",
        "seen", "",
      ]
    )
    #expect(frame.last == " STOP  space or s    q leaves")
  }

  /// A phone's terminal.
  @Test func aNarrowTerminalShowsTheCourtTheArmingAndTheStopKey() throws {
    var state = feeding()
    state.duration = nil
    state.speed = 1
    state.keys = .stopsAndLeaves
    state.isSelfArming = false
    func frame() -> [String] {
      LiveView.frame(state, width: 45, height: 24, abilities: Self.bare)
    }
    #expect(
      frame().joined(separator: "\n") == """
         SIM   Ball machine bridge               0:42
        ·        ══════════ net ══════════        ·
        ·        │ 0-0 │ 0-1 │ 0-2 │ 0-3 │        ·
        ·        │     │     │     │     │        ·
        ·        ├─────┼─────┼─────┼─────┤        ·
        ·        │ 1-0 │ 1-1 │ 1-2 │ 1-3 │        ·
        ·        │     │     │     │     │        ·
        ·        ├─────┼─────┼─────┼─────┤        ·
        ·        │ 2-0 │ 2-1 │ 2-2 │ 2-3 │        ·
        ·        │     │     │     │     │        ·
        ·        ├─────┼─────┼─────┼─────┤        ·
        ·        │ 3-0 │░3-1░│ 3-2 │ 3-3 │        ·
        ·        │     │░░░░░│     │     │        ·
        ·        └─────┴─────┴─────┴─────┘        ·
        ·                                         ·
        ·                   ●                     ·
        ·                                         ·
        · · · · · · · · · · · · · · · · · · · · · ·
        Link      ready
        Arming    LIVE
        Next ball 1.8 s ████░░░░░░
        Player    x 4.10  y 13.20  of 24

         STOP  space or s    q leaves
        """
    )
    let reason = "the machine has acknowledged the stop command"
    state.stop = .known(StopReport(stop: StopRecord(outcome: "confirmed", reason: reason)))
    #expect(
      frame().suffix(3) == [
        "stop  the machine has acknowledged the stop", "command", " STOP  space or s    q leaves",
      ]
    )
    #expect(frame().contains { $0.contains("● ") })
  }

  /// Neither a notice nor the outcome of a stop displaces them.
  @Test(arguments: [LiveViewState.Keys.endsRun, .endsView, .stopsAndLeaves])
  func theKeysAreNeverCutOff(_ keys: LiveViewState.Keys) throws {
    var state = feeding()
    state.keys = keys
    state.status.link.remedy =
      "the machine is not seen: check that it is on, and not connected to a phone"
    let stopped = Failure(.unavailable, "NOTHING was stopped: use the machine's switch")
    state.stop = .failed(stopped)
    let end =
      switch keys {
      case .endsRun: "machine."
      case .endsView: "stops the machine."
      case .stopsAndLeaves: "q leaves"
      }
    for width in [30, 45, 60, 80, 120] {
      for height in [12, 21, 24, 40] {
        let frame = LiveView.frame(state, width: width, height: height, abilities: Self.bare)
        let last = try #require(end.split(separator: " ").last)
        #expect(frame.last?.hasSuffix(last) == true, "\(width), \(height)")
        #expect(frame.joined().contains("switch"))
        #expect(!frame.suffix(6).contains { $0.hasSuffix("…") })
      }
    }
  }

  @Test func withoutUnicodeEverythingIsASCII() throws {
    let abilities = TerminalAbilities(colours: false, unicode: false)
    let frame = LiveView.frame(feeding(), width: 80, height: 24, abilities: abilities)
    #expect(frame.allSatisfy { $0.allSatisfy(\.isASCII) })
    #expect(frame[13].contains("|:::::|"))
  }

  @Test func coloursAddNothingButEscapes() throws {
    let state = feeding()
    let plain = LiveView.frame(state, width: 80, height: 24, abilities: Self.bare)
    let coloured = LiveView.frame(state, width: 80, height: 24)
    #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
    // No colour runs over into the next line.
    for escapes in coloured.map({ $0.matches(of: /\u{1B}\[[0-9;]*m/).map(\.output) }) {
      #expect(escapes.isEmpty || escapes.last == "\u{1B}[0m")
    }
    #expect(coloured[0].hasPrefix("\u{1B}[0;1;30;42m SIM "))
  }

  @Test func everyFrameFitsItsTerminal() throws {
    for state in [
      feeding(),
      LiveViewState(Self.status("idle")),
    ] {
      for width in [0, 1, 2, 10, 40, 75, 76, 77, 80, 200] {
        for height in [0, 1, 2, 5, 20, 21, 24, 60] {
          let frame = LiveView.frame(state, width: width, height: height, abilities: Self.bare)
          #expect(frame.count <= height)
          #expect(frame.allSatisfy { $0.count <= max(width, 1) })
        }
      }
    }
  }

  @Test func whatADeviceCallsItselfCantMoveTheCursor() {
    var status = Self.status("ready")
    status.link.machine = "\u{1B}[2J\u{202E}\n\u{9B}x"
    let state = LiveViewState(status)
    let frame = LiveView.frame(state, width: 80, height: 24, abilities: Self.bare)
    #expect(frame.contains { $0.hasSuffix("  ?[2J???x") })
  }

  /// Corners of the court, of the drawing and of each zone: the dot stands where the zone says.
  @Test func theDotStandsInTheZoneThatCounts() throws {
    for zone in Zone.allCases {
      for (across, along) in [(0.0, 0.0), (0.5, 0.5), (0.999, 0.999)] {
        let position = try PlayerPosition(
          x: (Double(zone.column) + across) * Court.zoneWidth,
          y: (Double(zone.row) + along) * Court.zoneLength
        )
        for scale in [CourtScale.smallest, CourtScale(zoneWidth: 11, zoneHeight: 6)] {
          let lines = CourtDrawing.lines(
            court: Court(),
            lit: zone,
            player: position,
            scale: scale
          )
          let row = try #require(lines.firstIndex { $0.cells.contains { $0.character == "●" } })
          let place = try #require(lines[row].cells.firstIndex { $0.character == "●" })
          let (width, column) = (scale.zoneWidth, place - scale.sideMargin)
          #expect(row / scale.zoneHeight == zone.row && row % scale.zoneHeight != 0)
          #expect(column / width == zone.column && column % width != 0)
        }
      }
    }
  }

  /// A zone's columns and rows on a terminal of this size, with one of its lines.
  @Test(arguments: [
    (76, 24, 6, 3), (80, 24, 6, 3), (80, 60, 6, 4), (120, 24, 6, 3), (120, 40, 11, 6),
    (200, 50, 16, 8), (45, 24, 6, 3), (60, 60, 8, 5),
  ])
  func aLargerTerminalHasALargerCourt(
    _ width: Int,
    _ height: Int,
    _ columns: Int,
    _ rows: Int
  ) throws {
    let frame = LiveView.frame(feeding(), width: width, height: height, abilities: Self.bare)
    let net = try #require(frame.firstIndex { $0.contains("═ net ═") })
    let baseline = try #require(frame.firstIndex { $0.contains("└─") })
    let line = Array(frame[baseline])
    let corners = try (#require(line.firstIndex(of: "└")), #require(line.firstIndex(of: "┘")))
    #expect(corners.1 - corners.0 == 4 * columns && baseline - net == 4 * rows)
    #expect(frame.count <= height && frame.allSatisfy { $0.count <= width })
    for row in ["Link      ready", "Player    x 4.10  y 13.20", "Last      118001076018008500"] {
      #expect(frame.contains { $0.contains(row) } || width < 60, "\(row)")
    }
    // The apron's edges are the drawing's.
    #expect(frame[net].hasPrefix("·") && frame.contains { $0.hasPrefix("· · · ·") })
  }

  /// Room that the link has no use for parts the panel.
  @Test func withMuchRoomThePanelIsNotTornApart() throws {
    let frame = LiveView.frame(feeding(), width: 120, height: 40, abilities: Self.bare)
    let link = try #require(frame.firstIndex { $0.contains("Link      ready") })
    let player = try #require(frame.firstIndex { $0.contains("Player    x") })
    #expect(player - link == 7)
    #expect(frame.contains { $0.hasSuffix("Next ball 1.8 s ██████░░░░░░░░░░") })
    let wide = LiveView.frame(feeding(), width: 200, height: 50, abilities: Self.bare)
    #expect(wide.contains { $0.hasSuffix(String(repeating: "░", count: 24)) })
  }

  @Test func theBarOfTheNextBallFillsOverTheInterval() {
    var status = Self.status("ready")
    status.interval = 9
    status.nextDecision = 4.5
    let frame = LiveView.frame(LiveViewState(status), width: 80, height: 24, abilities: Self.bare)
    #expect(frame.contains { $0.contains("Next ball 4.5 s █████░░░░░") })
  }

  /// Lines at their true places, or as near as the zones' names allow.
  @Test func whatAServiceSaidThatNoLongerAnswersIsTakenBack() throws {
    var state = feeding()
    state.isSelfArming = false
    state.stop = .underWay
    func frame() -> String {
      LiveView.frame(state, width: 80, height: 21, abilities: Self.bare).joined(separator: "\n")
    }
    state.doubt(after: .milliseconds(1900))
    #expect(frame().contains("Arming    LIVE\n") && frame().contains("stop: on its way\n"))
    #expect(frame().contains(", 1.2 s ago\n"))
    state.doubt(after: .milliseconds(7900))
    for row in ["Link      ", "Arming    ", "Next ball "] {
      #expect(frame().contains(row + "no answer for 7 s"))
    }
    #expect(frame().contains("stop: on its way; use the machine's switch"))
    #expect(!frame().contains("LIVE") && !frame().contains("ready"))
    #expect(frame().contains("Player    not seen\n") && frame().contains(", 9.1 s ago\n"))
  }

  @Test(arguments: [
    (
      [0, 2.377, 6.394, 8.32, 11.885], [0, 1.5, 4.115, 6.73, 8.23], [0, 2, 6, 8, 12],
      [0, 5, 12, 19, 24]
    ),
    (
      [0, 0.3, 0.6, 0.9, 11.885], [0, 7.33, 7.63, 7.93, 8.23], [0, 2, 4, 6, 12], [0, 9, 14, 19, 24]
    ),
  ])
  func unequalZonesAreDrawnToScale(
    _ rows: [Double],
    _ columns: [Double],
    _ across: [Int],
    _ along: [Int]
  ) throws {
    let court = try Court(apron: 3, rows: rows, columns: columns)
    let empty = CourtDrawing.lines(court: court, lit: nil, player: nil)
    #expect(
      empty.indices.filter { "├└".contains(empty[$0].cells[9].character) }
        == Array(across.dropFirst())
    )
    let net = empty[across[1]].cells
    #expect(net.indices.filter { "├┼┤".contains(net[$0].character) } == along.map { $0 + 9 })
    for zone in Zone.allCases {
      let name = empty[across[zone.row] + 1].cells[(along[zone.column] + 11)...].prefix(3)
      #expect(String(name.map(\.character)) == zone.description)
      for part in [0, 0.5, 0.999] {
        let position = try PlayerPosition(
          x: columns[zone.column] + part * (columns[zone.column + 1] - columns[zone.column]),
          y: rows[zone.row] + part * (rows[zone.row + 1] - rows[zone.row])
        )
        let lines = CourtDrawing.lines(court: court, lit: zone, player: position)
        let row = try #require(lines.firstIndex { $0.cells.contains { $0.character == "●" } })
        let column = try #require(lines[row].cells.firstIndex { $0.character == "●" }) - 9
        #expect((across[zone.row] + 1..<across[zone.row + 1]).contains(row))
        #expect((along[zone.column] + 1..<along[zone.column + 1]).contains(column))
      }
    }
  }

  @Test(arguments: [
    (-50.0, -50.0), (50, 50), (-0.001, 3), (8.231, 3), (4, 11.886), (8.23, 11.885), (0, 0),
  ])
  func thePlayerIsAlwaysOnTheDrawing(_ x: Double, _ y: Double) throws {
    let lines = CourtDrawing.lines(
      court: Court(),
      lit: nil,
      player: try PlayerPosition(x: x, y: y)
    )
    #expect(lines.count == CourtScale.smallest.height)
    #expect(lines.allSatisfy { $0.width == CourtScale.smallest.width })
    #expect(lines.flatMap(\.cells).count { $0.character == "●" } == 1)
  }

  @Test(arguments: [
    (["LANG": "C.UTF-8"], TerminalAbilities(colours: true, unicode: true)),
    (["LANG": "de_DE.utf8", "NO_COLOR": "1"], TerminalAbilities(colours: false, unicode: true)),
    (["LANG": "C.UTF-8", "LC_ALL": "C"], TerminalAbilities(colours: true, unicode: false)),
    ([:], TerminalAbilities(colours: true, unicode: false)),
  ])
  func theEnvironmentSaysWhatTheTerminalCan(
    _ environment: [String: String],
    _ abilities: TerminalAbilities
  ) {
    #expect(TerminalAbilities(environment: { environment[$0] }) == abilities)
  }
}
