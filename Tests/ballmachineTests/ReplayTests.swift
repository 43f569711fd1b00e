import Foundation
import TestSupport
import Testing

/// `replay --dry-run` from outside.
struct ReplayTests {
  /// Runs it on a file with this content.
  private func replay(
    _ track: String,
    _ options: String...
  ) async throws -> BuiltProgram.Result {
    let folder = try TemporaryDirectory()
    let file = try folder.write(track, to: "track.csv")
    var result = try await BuiltProgram.run(["replay", file, "--dry-run"] + options)
    result.errors = result.errors.replacing(file, with: "FILE")
    return result
  }

  private let track = """
    timestamp,x,y
    10.0,4.1,13.2
    11.0,-0.5,3
    12.5,1,1
    13.0,2,1
    16.5,20,1
    17.0,8.23,11.885

    """

  @Test func decisionsInJSONAreOneLineEachAndTheSummaryIsLast() async throws {
    let result = try await replay(track, "--json", "--apron", "3")
    #expect(result.code == 0 && result.errors == "")
    #expect(
      result.output == """
        {"command":"118001076018008500","event":"decision","samples":1,"t":0,"x":4.1,"y":13.2,"zone":"3-1"}
        {"command":"105001050012002000","event":"decision","samples":2,"t":3,"x":1.5,"y":1,"zone":"0-0"}
        {"command":"110001060014004500","event":"decision","samples":1,"t":6.5,"x":20,"y":1,"zone":null}
        {"badLines":0,"byZone":{"0-0":1,"3-1":1},"decisions":3,"event":"dryRun","outOfCourt":1,"positions":6,"seconds":7}

        """
    )
  }

  @Test func standardInputIsATrack() async throws {
    let result = try await BuiltProgram.run(["replay", "-", "--dry-run"], input: track)
    #expect(try await result.output == replay(track).output && result.errors == "", "\(result)")
  }

  @Test func peopleReadTheSame() async throws {
    let result = try await replay(track)
    #expect(result.code == 0 && result.errors == "")
    #expect(
      result.output == """
        0.000 s  x 4.10 y 13.20 of 1  out of court  110001060014004500
        3.000 s  x 1.50 y 1.00 of 2  zone 0-0  105001050012002000
        6.500 s  x 20.00 y 1.00 of 1  out of court  110001060014004500
        3 decisions from 6 positions in 7.000 s
        zone 0-0: 1, out of court: 2

        """
    )
  }

  /// A run log with a table of one command and an apron of 3 m, live from 11 s on.
  private let log: String = {
    let digits = "222222222222222222"
    let table = (0..<16).map { "\"\($0 / 4)-\($0 % 4)\":\"\(digits)\"" }
    return """
      {"event":"session","version":1}
      {"event":"court","t":9,"time":"","apron":3,"fallback":"\(digits)","table":{\(table.joined(separator: ","))}}
      {"event":"safety","t":9,"state":"disarmed"}
      {"connection":"client 1","event":"position","t":10.0,"x":4.1,"y":13.2}
      {"connection":"client 2","event":"position","t":10.5,"x":1,"y":1}
      {"event":"safety","t":10.9,"state":"live"}
      {"connection":"client 1","event":"position","t":11.0,"x":4.1,"y":13.2}
      {"command":"\(digits)","event":"dispatch","t":10.9,"x":7,"y":7}
      {"connection":"client 1","event":"posi
      """
  }()

  @Test func aRunLogIsDecidedAsItWas() async throws {
    let result = try await replay(log)
    #expect(result.code == 0)
    #expect(
      result.errors
        == "ballmachine replay: FILE:9:1: the stream ended in the middle of this line, or its line feed is missing\n"
    )
    #expect(
      result.output == """
        0.900 s  x 4.10 y 13.20 of 1  zone 3-1  222222222222222222
        1 decision from 2 positions in 1.000 s, 1 bad line
        zone 3-1: 1

        """
    )
  }

  @Test func whatTheRunHeldBackIsCounted() async throws {
    let result = try await replay(
      """
      {"event":"session","version":1}
      {"event":"safety","t":9,"state":"live"}
      {"connection":"client 1","event":"position","t":10.0,"x":1,"y":0.2}
      {"command":"105001050012002000","event":"held","holds":["nearNet"],"t":10.001}
      {"connection":"client 1","event":"position","t":13.0,"x":1,"y":1}
      {"command":"105001050012002000","event":"dispatch","t":13.001,"x":1,"y":1}

      """
    )
    #expect(result.code == 0 && result.errors == "")
    #expect(
      result.output == """
        3.000 s  x 1.00 y 1.00 of 1  zone 0-0  105001050012002000
        1 decision from 2 positions in 3.000 s, 1 held back
        zone 0-0: 1

        """
    )
  }

  /// The level that is loaded after the session is another one's.
  @Test func aSessionAtALevelIsDecidedAtItsInterval() async throws {
    var lines = [
      #"{"event":"session","version":1}"#,
      #"{"aim":"follow","event":"training","interval":3,"t":8}"#,
      #"{"aim":"follow","event":"training","interval":5,"level":"beginner","t":9}"#,
      #"{"event":"safety","t":9.5,"state":"live"}"#,
    ]
    lines += (0...12).map {
      #"{"connection":"client 1","event":"position","t":\#(10 + $0).0,"x":1,"y":1}"#
    }
    lines += [
      #"{"event":"safety","t":22.5,"state":"disarmed"}"#,
      #"{"aim":"follow","event":"training","interval":4,"level":"advanced","t":23}"#, "",
    ]
    let log = lines.joined(separator: "\n")
    func times(_ level: String? = nil) async throws -> [String] {
      let result =
        if let level { try await replay(log, "--level", level) } else { try await replay(log) }
      return result.lines.prefix { $0.contains("zone 0-0  ") }.map { String($0.prefix(6)) }
    }
    #expect(try await times() == ["0.000 ", "5.000 ", "10.000"])
    // Another one's interval is the configuration's.
    #expect(try await times("intermediate") == ["0.000 ", "4.000 ", "8.000 ", "12.000"])
  }

  @Test func eachSessionOfARunHasItsLevel() async throws {
    var lines = [#"{"event":"session","version":1}"#]
    let trainings = [
      #""interval":5,"level":"beginner""#, #""interval":4,"level":"advanced""#, #""interval":3"#,
    ]
    for (index, training) in trainings.enumerated() {
      let start = 10 + index * 20
      lines += [
        #"{"aim":"follow","event":"training",\#(training),"t":\#(start - 2)}"#,
        #"{"event":"safety","t":\#(start - 1),"state":"live"}"#,
      ]
      lines += (0...10).map {
        #"{"connection":"client 1","event":"position","t":\#(start + $0),"x":1,"y":1}"#
      }
      lines.append(#"{"event":"safety","t":\#(start + 11),"state":"disarmed"}"#)
    }
    let result = try await replay(lines.joined(separator: "\n") + "\n")
    let times = result.lines.filter { $0.contains("zone 0-0  ") }.map { String($0.prefix(6)) }
    #expect(
      times == [
        "0.000 ", "5.000 ", "10.000", "20.000", "24.000", "28.000", "40.000", "43.000", "46.000",
        "49.000",
      ]
    )
  }

  /// A reload between two sessions of a run, and after it a session with a drill. Each begins anew, a
  /// second after its player is seen.
  @Test func eachSessionOfARunHasItsCourtAndItsDrillsInterval() async throws {
    func court(_ digit: Int, apron: Int, interval: Int, t: Int) -> String {
      let digits = String(repeating: "\(digit)", count: 18)
      let table = (0..<16).map { "\"\($0 / 4)-\($0 % 4)\":\"\(digits)\"" }.joined(separator: ",")
      return #"{"event":"court","t":\#(t),"time":"","apron":\#(apron),"fallback":"\#(digits)","#
        + #""interval":\#(interval),"commands":{\#(table)}}"#
    }
    var lines = [#"{"event":"session","version":1}"#]
    let settings = [
      court(1, apron: 0, interval: 3, t: 5), court(2, apron: 3, interval: 4, t: 25),
      #"{"aim":"sides","drill":"c","event":"training","interval":6,"level":"beginner","t":45}"#,
    ]
    for (index, setting) in settings.enumerated() {
      let start = 10 + index * 20
      lines.append(setting)
      for second in 0...8 {
        if second == 1 { lines.append(#"{"event":"safety","t":\#(start + 1),"state":"live"}"#) }
        lines.append(
          #"{"connection":"client 1","event":"position","t":\#(start + second),"x":4.1,"y":13}"#
        )
      }
      // A pause before its end is no end.
      for state in ["paused", "disarmed", "countdown"] {
        lines.append(#"{"event":"safety","t":\#(start + 8),"state":"\#(state)"}"#)
      }
    }
    let result = try await replay(lines.joined(separator: "\n") + "\n")
    let balls = result.lines.filter { $0.contains(" s  x ") }.map { line in
      let command = line.contains("out of court  111") ? "1" : line.contains("  222") ? "2" : ""
      return String(line.prefix(6)) + command
    }
    #expect(
      balls == [
        "1.000 1", "4.000 1", "7.000 1", "21.0002", "25.0002", "41.0002", "47.0002",
      ],
      "\(result.output) \(result.errors)"
    )
  }

  @Test func aRunLogIsDecidedAsSomebodyElseWants() async throws {
    let result = try await replay(log, "--as-if-live", "--apron", "1")
    #expect(result.code == 0)
    #expect(
      result.output.hasPrefix("0.000 s  x 4.10 y 13.20 of 1  out of court  222222222222222222\n")
    )
  }

  @Test func badLinesAreNamedAndTheRestGoesOn() async throws {
    let result = try await replay(
      "\u{FEFF}0,1,1\r\nnonsense\r\n1,nan,1\r\n2,1,9999\r\n3,1,1\r\n",
      "--json"
    )
    #expect(result.code == 0)
    #expect(result.lines.count == 3)
    for line in 2...4 {
      #expect(result.errors.contains("ballmachine replay: FILE:\(line):1: "))
    }
  }

  @Test(arguments: [
    ("", "FILE: has no positions"),
    ("nonsense\n", "FILE:1:1: neither"),
    ("5,1,1\n4,1,1\n", "FILE:2:1: its time, 4.0 s, is before the previous one"),
    (#"{"x": 1, "y": 1}"#, "FILE:1:1: “t” is missing"),
  ])
  func whatIsNoTrackIsBadData(_ track: String, _ message: String) async throws {
    let result = try await replay(track)
    #expect(result.code == 65 && result.output == "")
    #expect(result.errors.hasPrefix("ballmachine replay: " + message), "\(result.errors)")
  }

  @Test func aMissingFileIsNamed() async throws {
    let result = try await BuiltProgram.run(["replay", "/proc/none", "--dry-run"])
    #expect(result.code == 66)
    #expect(
      result.errors == "ballmachine replay: can't open /proc/none: No such file or directory\n"
    )
  }
}
