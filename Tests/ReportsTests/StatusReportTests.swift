import ControlProtocol
import CourtLogic
import FoundationEssentials
import Host
import JSON
import Programs
import Terminal
import Testing

@testable import Reports

/// `status` and `watch`, from what the service answers.
struct StatusReportTests {
  private static let answer = """
    {"version":"0.1.0","t":1000.5,"mode":"REAL","uptime":754.2,
     "safety":{"state":"paused","code":"manual","reason":"a command was sent by hand","holds":[],
       "balls":12},
     "link":{"state":"backingOff","machine":"F0:F1:F2:F3:F4:F5","mode":"REAL","attempt":3,
       "nextAttempt":1002.75,"reason":"connecting took too long",
       "remedy":"check that the machine is on and near, and not connected to a phone"},
     "player":{"x":4.1,"y":9.8,"samples":30,"zone":"3-1"},"interval":4.7,"nextDecision":null,
     "lastDispatch":{"number":12,"t":960.5,"x":4.1,"y":9.8,"samples":30,"zone":"3-1",
       "command":"118001076018008500","outcome":"delivered","latency":0.047},
     "counts":{"positions":900,"badLines":1,"otherPositions":2,"droppedPositions":0,
       "dispatches":12,"outcomes":{"delivered":11,"queued":0,"notSent":1,"unknown":0},
       "manualOutcomes":{"delivered":0,"queued":0,"notSent":0,"unknown":0},
       "byZone":{"3-1":12},"outOfCourt":0,"latencies":{}},
     "configuration":{"files":["/etc/ballmachine/config.yaml"],"loaded":"2026-11-21T13:03:22Z"},
     "court":{"apron":3}}
    """

  private static func report(
    _ change: (inout [String: JSONValue]) -> Void = { _ in }
  ) throws -> StatusReport {
    guard case .object(var members) = try JSONValue(text: Array(answer.utf8)) else {
      throw CancellationError()
    }
    change(&members)
    return try StatusReport(.object(members))
  }

  private static func frame(_ status: StatusRecord) -> [String] {
    LiveView.frame(
      LiveViewState(status),
      width: 80,
      height: 24,
      abilities: TerminalAbilities(colours: false)
    )
  }

  @Test func bothAxesAreToldWithTheirReasons() throws {
    let time = try #require(WallTime(iso8601: "2026-11-21T13:03:22Z")).local
    #expect(
      try Self.report().text == """
        Mode     REAL: balls can fly
        Arming   paused: a command was sent by hand
        Link     backing off  F0:F1:F2:F3:F4:F5
                 attempt 3  next try in 2.3 s
                 connecting took too long; check that the machine is on and near, and
                 not connected to a phone
        Player   x 4.10 y 9.80 of 30  zone 3-1
        Balls    delivered 11, queued 0, not sent 1, unknown 0
                 12 balls since it was armed, interval 4.7 s
        Last     ball 12  zone 3-1  118001076018008500  delivered  40 s ago
        Service  ballmachine 0.1.0, up for 12 min
                 /etc/ballmachine/config.yaml, read at \(time)
        """
    )
  }

  @Test func feedersThatWereSentAwayAreCounted() throws {
    let report = try Self.report {
      $0["player"] = .null
      guard case .object(var counts) = $0["counts"] else { return }
      counts["refusedFeeders"] = .integer(3)
      $0["counts"] = .object(counts)
    }
    #expect(
      report.text.contains(
        """
        Player   not seen
                 3 feeders sent away: too many were connected
        Balls
        """
      ),
      "\(report.text)"
    )
  }

  @Test func refusedLinesAreQuoted() throws {
    let report = try Self.report {
      $0["player"] = .null
      $0["lastBadLine"] = .object([
        "t": .number(998.5), "connection": "client 1", "line": .integer(13), "text": "{x: 4.1}",
        "reason": "not valid JSON (which has no NaN and no Infinity)",
      ])
    }
    #expect(
      report.text.contains(
        """
        Player   not seen
                 1 line refused, the last 2 s ago: client 1, line 13 “{x: 4.1}”: not
                 valid JSON (which has no NaN and no Infinity)
        Balls
        """
      ),
      "\(report.text)"
    )
  }

  @Test(arguments: [
    ("SIM" as String?, "SIM: a mock machine, no ball flies"),
    (nil, "not known: BlueZ has not answered yet; take it for REAL"),
  ])
  func theModeIsNeverLeftToGuess(_ mode: String?, _ text: String) throws {
    let report = try Self.report { $0["mode"] = mode.map { .string($0) } ?? .null }
    #expect(report.text.hasPrefix("Mode     \(text)\n"))
    let header = Self.frame(report.status).first
    #expect(header?.hasPrefix(mode == "SIM" ? " SIM  " : " REAL  ") == true)
  }

  @Test func aNewerConfigurationThatIsWrongIsTold() throws {
    let time = try #require(WallTime(iso8601: "2026-11-21T13:03:22Z")).local
    let report = try Self.report {
      $0["configuration"] = .object([
        "files": .array([]),
        "loaded": "2026-11-21T13:03:22Z",
        "reason":
          "/etc/ballmachine/config.yaml:2:10: `far` is not a number of metres from 0 to 50",
      ])
    }
    #expect(
      report.text.hasSuffix(
        """
        Service  ballmachine 0.1.0, up for 12 min
                 no configuration file, read at \(time)
        Config   a newer one is wrong, and not in force:
                 /etc/ballmachine/config.yaml:2:10: `far` is not a number of metres
                 from 0 to 50
        """
      )
    )
  }

  @Test func whatHoldsBallsBackIsTold() throws {
    let report = try Self.report {
      $0["safety"] = .object([
        "state": "live", "balls": 0,
        "holds": .array([.object(["code": "nearNet", "reason": "the player is near the net"])]),
      ])
    }
    #expect(report.text.contains("Arming   LIVE\n         held: the player is near the net\n"))
    #expect(LiveViewState(report.status).holding == "held: the player is near the net")
    #expect(report.status.safety.style == .green)
  }

  @Test func whatMayStillComeIsToldThoughNothingIsHeldBack() throws {
    let reason = "the machine is still owed a stop command: to be sure, use its switch"
    let report = try Self.report {
      $0["safety"] = .object([
        "state": "disarmed", "code": "reset", "reason": "the stop was reset", "balls": 0,
        "holds": .array([.object(["code": "stopOwed", "reason": .string(reason)])]),
      ])
    }
    #expect(report.text.contains("disarmed: the stop was reset\n         \(reason)\n"))
    #expect(LiveViewState(report.status).holding == reason)
  }

  @Test func theViewShowsWhatTheServiceKnows() throws {
    let status = try Self.report().status
    let view = LiveViewState(status)
    #expect(status.safety.style == .yellow && status.link.style == .red)
    #expect(view.holding == "none" && status.court.drawn.apron == 3)
    let frame = Self.frame(status)
    for text in [
      "Arming    paused: a command", "Link      backing off", "delivered, 47 ms",
      "zone 3-1, 40.0 s ago", "refused   3", "not sent  1",
    ] {
      #expect(frame.contains { $0.contains(text) }, "\(text)")
    }
    #expect(frame.dropLast().last == status.link.remedy)
  }

  @Test func manyBallsStillFitATerminal() throws {
    let report = try Self.report {
      let many = JSONValue.object([
        "delivered": 123_456, "queued": 123_456, "notSent": 123_456, "unknown": 123_456,
      ])
      guard case .object(var counts) = $0["counts"] else { return }
      counts["outcomes"] = many
      counts["manualOutcomes"] = many
      $0["counts"] = .object(counts)
    }
    let lines = report.text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count < 80 }, "\(report.text)")
  }

  @Test func commandsByHandCountAndCanBeTheLast() throws {
    func status(at t: Int64) throws -> StatusReport {
      try Self.report {
        $0["lastManual"] = .object([
          "t": .integer(t), "number": 2, "command": "120001080019009500", "outcome": "unknown",
          "reason": "the link was lost", "latency": .number(0.5),
        ])
        guard case .object(var counts) = $0["counts"] else { return }
        counts["manualOutcomes"] = .object([
          "delivered": 1, "queued": 0, "notSent": 0, "unknown": 1,
        ])
        $0["counts"] = .object(counts)
      }
    }
    let last = try status(at: 990)
    #expect(
      last.text.contains(
        """
        Balls    delivered 11, queued 0, not sent 1, unknown 0
                 12 balls since it was armed, interval 4.7 s
                 by hand: delivered 1, queued 0, not sent 0, unknown 1
        Last     by hand  120001080019009500  unknown: the link was lost  10 s ago

        """
      )
    )
    for text in ["by hand, 10.5 s ago", "delivered 12", "unknown   1"] {
      #expect(Self.frame(last.status).contains { $0.contains(text) }, "\(text)")
    }
    // A ball that was decided later is the last one.
    #expect(try status(at: 950).text.contains("Last     ball 12  zone 3-1"))
  }

  @Test func aReadyLinkWhoseMachineTakesNoCommandsLooksBad() throws {
    var status = try Self.report().status
    status.link.state = "ready"
    #expect(status.link.style == .red)
    let frame = Self.frame(status)
    #expect(frame.contains { $0.hasSuffix("  connecting took too long") })
    #expect(frame.dropLast().last == status.link.remedy)
    status.link.reason = nil
    #expect(status.link.style == .green)
  }

  @Test func machinesGetTheAnswerAsItIs() throws {
    let json = try Output.json(Self.report())
    #expect(json.hasPrefix(#"{"configuration":{"#) && json.contains(#""event":"status""#))
    #expect(json.contains(#""nextDecision":null"#))
  }
}
