import Configuration
import ControlProtocol
import CourtLogic
import Foundation
import Programs
import TestSupport
import Testing
import YAML

@testable import ballmachine

/// `check-config` and `check-table` from outside, and the file that is shipped.
struct CheckConfigTests {
  private static let shipped = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "tools/systemd/config.yaml")

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ text: String, to name: String = "config.yaml") throws -> String {
    try folder.write(text, to: name)
  }

  @Test func theShippedFileIsTheSchemasExample() async throws {
    let shipped = try String(contentsOf: Self.shipped, encoding: .utf8)
    #expect(shipped == BridgeConfiguration.exampleFile, "make it with: check-config --example")
    let result = try await BuiltProgram.run(["check-config", "--example"])
    #expect(result.code == 0 && result.output == shipped)
  }

  @Test func theShippedFileSetsTheApronAloneAndHasEveryKey() throws {
    let text = try String(contentsOf: Self.shipped, encoding: .utf8)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let asShipped = try EffectiveConfiguration(from: ConfigurationFiles(main: try write(text)))
    var expected = BridgeConfiguration()
    expected.court.apron = 3
    #expect(asShipped.values == expected && Array(asShipped.origins.keys) == ["court.apron"])

    // With each `#` before a key taken away, as its users will do one by one.
    let all = text.replacing("\n  #", with: "\n  ").replacing("\n   ", with: "\n  # ")
      .replacing("table: table.csv", with: "table: null")
      .replacing("calibration: court.yaml", with: "calibration: null")
    let configuration = try EffectiveConfiguration(from: ConfigurationFiles(main: try write(all)))
    #expect(Set(configuration.origins.keys) == Set(BridgeConfiguration.schema.keys.map(\.path)))
  }

  @Test func aValidFileIsTold() async throws {
    let path = try write("court:\n  apron: 3\n")
    let result = try await BuiltProgram.run(["check-config", path])
    #expect(result.code == 0 && result.errors == "")
    #expect(result.output == "\(path): valid, 1 key set\n")
    let json = try await BuiltProgram.run(["check-config", path, "--json"])
    #expect(json.code == 0 && json.lines.count == 1)
    #expect(json.output.contains(#""court.apron":{"origin":"\#(path):2:10","value":"3"}"#))
  }

  @Test func everyProblemIsALineAndTheEndIs78() async throws {
    let path = try write("court:\n  aporn: 3\n  apron: x\n")
    let result = try await BuiltProgram.run(["check-config", path])
    #expect(result.code == 78 && result.errors == "ballmachine check-config: 2 problems\n")
    #expect(
      result.lines == [
        "\(path):2:3: there is no key `aporn` in court; did you mean `apron`?",
        "\(path):3:10: court.apron: `x` is not a number of metres from 0 to 50",
      ]
    )
    let json = try await BuiltProgram.run(["check-config", "--json", path])
    #expect(json.code == 78 && json.lines.count == 3)
    #expect(json.output.contains(#""column":3,"event":"problem","file":"\#(path)","line":2,"#))
    #expect(
      json.lines.last
        == #"{"code":"configuration","event":"error","exitStatus":78,"reason":"2 problems"}"#
    )
  }

  /// What is printed is itself a configuration, the same one.
  @Test func thePrintedValuesAreAFile() async throws {
    let text = "machine:\n  name: \"a \\\"b\\\" \\\\\"\nsafety: {countdown: 0.5, ball-limit: 7}\n"
    let path = try write(text)
    let result = try await BuiltProgram.run(["check-config", "--print", path])
    #expect(result.code == 0)
    #expect(result.lines.contains("  countdown: 0.5  # \(path):3:21"))
    #expect(result.lines.contains("  apron: 0  # default"))
    let again = try write(result.output, to: "printed.yaml")
    let values = try [path, again].map {
      try EffectiveConfiguration(from: ConfigurationFiles(main: $0)).values
    }
    #expect(values[0] == values[1] && values[0].machine.name == #"a "b" \"#)
  }

  @Test func everyKeyIsTold() async throws {
    let result = try await BuiltProgram.run(["check-config", "--schema"])
    #expect(result.lines.contains("court.apron, default 0, in force after a reload"))
    #expect(result.lines.allSatisfy { $0.count < 80 })
    let json = try await BuiltProgram.run(["check-config", "--schema", "--json"])
    #expect(json.lines.count == BridgeConfiguration.schema.keys.count)
  }

  @Test func aBadConfigurationStartsNothing() async throws {
    let path = try write("court: {apron: 99}\n")
    for arguments in [
      ["serve"], ["send", "--yes", "110001060014004500"], ["scan"],
      ["explain", "--zone", "1"], ["replay", "x"],
    ] {
      let result = try await BuiltProgram.run(
        arguments + ["--config", path],
        environment: ["BALLMACHINE_RUNTIME_DIR": folder.path]
      )
      #expect(result.code == 78 && result.output == "")
      #expect(
        result.errors
          == "ballmachine \(arguments[0]): \(path):1:16: court.apron: `99` is not a number of metres"
          + " from 0 to 50\n"
      )
    }
  }

  /// No slip in a file may hold up a stop.
  @Test(arguments: [["send", "000000000000000000"], ["safe-stop", "--wait", "7"]])
  func aBadConfigurationHoldsUpNoStop(_ arguments: [String]) async throws {
    let path = try write("court: {apron: 99}\nmachine: {bus: unix:path=/proc/none}\n")
    let result = try await BuiltProgram.run(
      arguments + ["--config", path],
      environment: [
        "BALLMACHINE_RUNTIME_DIR": folder.path, "BALLMACHINE_STATE_DIRECTORY": folder.path,
      ]
    )
    // It has gone as far as to the bus that the file names.
    #expect(result.code == 69)
    #expect(result.errors.contains("warning: \(path):1:16: court.apron"))
    #expect(result.errors.contains("/proc/none"))
  }

  @Test func theConfigurationCountsForExplainAndSend() async throws {
    let path = try write("court: {fallback: 0-0}\nlimits: {yaw: [0, 9500]}\n")
    let out = try await BuiltProgram.run(
      ["explain", "--x", "4", "--y", "13"],
      environment: ["BALLMACHINE_CONFIG": path]
    )
    #expect(out.code == 0 && out.output.contains("the command of zone 0-0"))
    let apron = try await BuiltProgram.run(
      ["explain", "--x", "4", "--y", "13", "--apron", "2", "--config", path]
    )
    #expect(apron.output.contains("zone     3-1"))
    let send = try await BuiltProgram.run(
      ["send", "--yes", "110001060014009501", "--config", path]
    )
    #expect(send.code == 65)
    #expect(send.errors.contains("yaw 9501 is outside this machine's limits, 0 to 9500"))
  }

  @Test func aTableIsChecked() async throws {
    let builtIn = try await BuiltProgram.run(["check-table"])
    #expect(builtIn.code == 0 && builtIn.lines.first == "the built-in table: valid")
    let path = try write("zone,command\n0-0,1\n9-9,1\n", to: "table.csv")
    let bad = try await BuiltProgram.run(["check-table", path])
    #expect(bad.code == 65 && bad.errors == "ballmachine check-table: 2 problems\n")
    #expect(bad.lines.count == 2 && bad.output.hasPrefix("\(path):2:5: zone 0-0: "))
    #expect(bad.lines.last?.hasPrefix("\(path):3:1: “9-9” is not a zone: ") == true)
    let json = try await BuiltProgram.run(["check-table", "--json", path])
    #expect(json.code == 65 && json.lines.count == 3)
    #expect(json.output.contains(#""column":5,"event":"problem","file":"\#(path)","line":2,"#))
    let limits = try write("limits: {upper-motor: [0, 100]}\ncourt: {table: null}\n")
    let csv = "zone,command\n0-0,110001060014004500\n"
    let strange = try await BuiltProgram.run(
      ["check-table", try write(csv, to: "other.csv"), "--config", limits]
    )
    #expect(strange.code == 65)
    #expect(strange.output.contains("upper motor 11000 is outside this machine's limits, 0 to 100"))
  }

  @Test func aTableOfLevelsAndSpinsIsShown() async throws {
    let plain = Zone.allCases.map { "\($0),,,110001060014004500\n" }.joined()
    let path = try write(
      "zone,level,spin,command\n\(plain)1-1,advanced,,120001060014004500\n"
        + "1-1,advanced,extreme-topspin,130001060014004500\n1-1,,flat,110001060014004501\n",
      to: "table.csv"
    )
    let text = try await BuiltProgram.run(["check-table", path])
    #expect(
      text.output == """
        \(path): valid
        upper motor  11000 to 13000
        lower motor  10600 to 10600
        pitch        1400 to 1400
        yaw          4500 to 4501
        level        2 × advanced
        spin         1 × flat, 1 × extreme-topspin

        """
    )
    let json = try await BuiltProgram.run(["check-table", "--json", path])
    #expect(
      json.output.contains(
        #""stopCommand":"000000000000000000","strokes":{"1-1 advanced":"120001060014004500","#
          + #""1-1 advanced extreme-topspin":"130001060014004500","1-1 flat":"110001060014004501"}"#
      ),
      "\(json.output)"
    )
    let served = TableRecord(
      commands: ["1-1": "110001060014004500", "1-2": "111001062015005000"],
      strokes: ["1-1 flat": "110001060014004501"],
      fallback: "110001060014004500",
      stopCommand: "000000000000000000"
    )
    #expect(
      served.report.text == """
        1-1           110001060014004500
        1-1 flat      110001060014004501
        1-2           111001062015005000
        out of court  110001060014004500
        stop          000000000000000000
        """
    )
    let level = try await BuiltProgram.run(
      ["explain", "--table", path, "120001060014004500"]
    )
    #expect(level.output.hasPrefix("zone     1-1 (id 5)\n"), "\(level)")
  }

  /// A configuration and a table alike.
  @Test(arguments: ["check-config", "check-table"])
  func aMissingFileIsNamedAndTheEndIs66(_ name: String) async throws {
    let missing = try await BuiltProgram.run([name, "/proc/none"])
    #expect(missing.code == 66 && missing.output == "")
    #expect(
      missing.errors == "ballmachine \(name): can't open /proc/none: No such file or directory\n"
    )
  }
}
