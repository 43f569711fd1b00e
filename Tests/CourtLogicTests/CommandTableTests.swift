import Testing

@testable import CourtLogic

/// A table whose digits tell the zone: 1-2 is 000000000000000006.
let plainTable = try! CommandTable { zone throws(MachineCommandError) in
  try MachineCommand(.digits, [0, 0, 0, zone.id])
}

struct CommandTableTests {
  private static let rows = Zone.allCases.map { "\($0),\(plainTable[$0])" }
  private static let plain = rows.joined(separator: "\n") + "\n"

  @Test(
    arguments: [
      plain,
      "zone,command\n" + plain,
      "Zone,Command\n" + plain,
      "\u{FEFF}zone,command\n" + plain,
      "\u{FEFF}" + plain,
      "# tuned in May\n\nzone,command\n" + plain + "\n\n# the end",
      rows.reversed().joined(separator: "\n"),
      rows.joined(separator: "\r\n"),
      "zone,command\r\n" + rows.joined(separator: "\r\n") + "\r\n\r\n",
    ]
  )
  func everyWayToWriteATableWorks(csv: String) throws {
    #expect(try CommandTable(csv: csv) == plainTable)
  }

  /// `old` becomes `new` in a table with a header (line 1) and zones 0-0 to 3-3 (lines 2 to 17).
  @Test(
    arguments: [
      (
        "3-3,000000000000000015\n", "1-1,000000000000000015\n",
        "17:1: zone 1-1 was given before, on line 7"
      ),
      ("3-3,000000000000000015\n", "", "16:1: the table ends without zone 3-3"),
      (
        "1-0,000000000000000004\n1-1,000000000000000005\n", "",
        "15:1: the table ends without zones 1-0, 1-1"
      ),
      (
        "1-1,", "1-4,", "7:1: “1-4” is not a zone: write row-column, each 0 to 3, such as 1-1"
      ),
      ("1-1,", "5,", "7:1: “5” is not a zone: write row-column, each 0 to 3, such as 1-1"),
      (
        "1-1,", " 1-1,", "7:1: “ 1-1” is not a zone: write row-column, each 0 to 3, such as 1-1"
      ),
      (
        "1-1,000000000000000005", "1-1,00000000000000005",
        "7:5: zone 1-1: a command has exactly 18 digits, not 17"
      ),
      (
        "1-1,000000000000000005", "1-1, 000000000000000005",
        "7:5: zone 1-1: character 1 is a space:"
          + " a command has 18 digits 0 to 9 and nothing else"
      ),
      (
        "1-1,000000000000000005", "1-1,00000000000000000５",
        "7:5: zone 1-1: character 18 is “５” (U+FF15):"
          + " a command has 18 digits 0 to 9 and nothing else"
      ),
      (
        "1-1,000000000000000005", "1-1,", "7:5: zone 1-1: a command has exactly 18 digits, not 0"
      ),
      (
        "1-1,000000000000000005", "1-1",
        "7:1: a line has two columns, zone,command, not 1"
      ),
      (
        "1-1,000000000000000005", "1-1,000000000000000005,",
        "7:1: a line has two columns, zone,command, not 3"
      ),
      (
        "2-0,", "zone,command\n2-0,",
        "10:1: “zone” is not a zone: write row-column, each 0 to 3, such as 1-1"
      ),
      (
        "zone,command", "where,what",
        "1:1: “where” is not a zone: write row-column, each 0 to 3, such as 1-1"
      ),
    ]
  )
  func aWrongTableNamesItsLine(old: String, new: String, text: String) throws {
    let parts = ("zone,command\n" + Self.plain).split(
      separator: old,
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    try #require(parts.count == 2)
    do {
      _ = try CommandTable(csv: parts[0] + new + parts[1])
      Issue.record("the table was taken")
    } catch {
      #expect("\(error)" == text)
    }
  }

  @Test func allMistakesAreToldLineByLine() {
    #expect(CommandTable.errors(csv: Self.plain).isEmpty)
    let csv = "zone,command\n0-0\n4-0,1\n0-1,1\n0-2,000000000000000002\n0-2,000000000000000002\n"
    #expect(
      CommandTable.errors(csv: csv).map(\.description) == [
        "2:1: a line has two columns, zone,command, not 1",
        "3:1: “4-0” is not a zone: write row-column, each 0 to 3, such as 1-1",
        "4:5: zone 0-1: a command has exactly 18 digits, not 1",
        "6:1: zone 0-2 was given before, on line 5",
      ]
    )
    #expect(CommandTable.errors(csv: String(repeating: "x\n", count: 100_000)).count == 50)
    #expect(CommandTable.errors(csv: "").count == 1)
  }

  @Test func aFramedTableHasItsFieldsInColumns() throws {
    let lines = Zone.allCases.map { "\($0),40,41,\($0.row),\($0.column),50\n" }.joined()
    for header in ["", "zone,upper,lower,pitch,yaw,feed\n"] {
      let table = try CommandTable(csv: header + lines, limits: MachineLimits(.framed))
      for zone in Zone.allCases {
        #expect(table[zone].values == [40, 41, zone.row, zone.column, 50])
      }
    }
    #expect(
      CommandTable.errors(csv: lines + "x", limits: MachineLimits(.framed)).map(\.description) == [
        "17:1: a line has six columns, zone,upper,lower,pitch,yaw,feed, not 1"
      ]
    )
    #expect(
      CommandTable.errors(csv: "0-0,40,41,91,1,50\n", limits: MachineLimits(.framed))
        .map(\.description) == ["1:5: zone 0-0: pitch 91 is outside 0 to 90"]
    )
    #expect(
      CommandTable.errors(csv: "zone,upper,lower,pitch,yaw,feed\n" + lines).map(\.description) == [
        "1:1: the table is for machine.encoding framed, and it is digits here"
      ]
    )
  }

  @Test func aTableMayHaveMoreEntriesForAZone() throws {
    let digits = "110001060014004500"
    let (beginner, topspin) = ("100001060014004500", "120001060014004500")
    let zone = try #require(Zone(id: 5))
    for (columns, cells, rest) in [
      ("zone,level,spin", ",,", ["1-1,beginner,,\(beginner)", "1-1,beginner,topspin,\(topspin)"]),
      ("Zone,Level", ",", ["1-1,beginner,\(beginner)"]),
      ("zone,spin", ",", ["1-1,topspin,\(topspin)"]),
    ] {
      let lines = rest + Zone.allCases.map { "\($0),\(cells)\(digits)" }
      let table = try CommandTable(csv: "\(columns),command\n\(lines.joined(separator: "\n"))")
      #expect(Zone.allCases.allSatisfy { table[$0].text == digits })
      #expect(table.command(for: Stroke(zone: zone)) == table[zone])
      let hasLevel = columns.lowercased().contains("level")
      #expect(table.levels == (hasLevel ? [.beginner] : []))
      #expect(
        table.command(for: Stroke(zone: zone, level: .beginner))?.text
          == (hasLevel ? beginner : nil)
      )
      // No entry stands in for another.
      #expect(table.command(for: Stroke(zone: zone, level: .advanced)) == nil)
      let stroke = Stroke(zone: zone, level: hasLevel ? .beginner : nil, spin: .topspin)
      #expect(
        table.command(for: stroke)?.text == (columns == "Zone,Level" ? nil : topspin)
      )
      #expect(table.entries.count == 16 + rest.count)
      #expect(table.zones(of: try MachineCommand(digits: digits)).count == 16)
      if columns != "Zone,Level" {
        let command = try MachineCommand(digits: topspin)
        #expect(table.strokes(of: command) == [stroke] && table.zones(of: command) == [zone])
        #expect(table.strokeTexts?["\(stroke)"] == topspin)
      }
    }
    #expect(plainTable.strokeTexts == nil && plainTable.levels.isEmpty)
    let framed = Zone.allCases.map {
      "\($0),,,40,41,12,20,50\n\($0),advanced,flat,60,61,12,20,50\n"
    }
    let table = try CommandTable(
      csv: "zone,level,spin,upper,lower,pitch,yaw,feed\n" + framed.joined(),
      limits: MachineLimits(.framed)
    )
    #expect(
      table.command(for: Stroke(zone: zone, level: .advanced, spin: .flat))?[.upper] == 60
    )
  }

  @Test func mistakesInLevelsAndSpinsAreToldAllAtOnce() {
    let plain = Zone.allCases.map { "\($0),,,110001060014004500\n" }.joined()
    let lines = """
      zone,level,spin,command
      1-1,begginer,,110001060014004500
      1-1,,Topspin,110001060014004500
      1-1,advanced,flat,11000106001400450
      1-1,beginner,flat,110001060014004501
      1-1,beginner,110001060014004500
      1-1,advanced,flat,110001060014004500
      1-1,advanced,flat,110001060014004500
      9-9,advanced,flat,110001060014004500

      """
    #expect(
      CommandTable.errors(csv: lines + plain, limits: MachineLimits(.digits, [.yaw: 0...4500]))
        .map(\.description) == [
          "2:5: “begginer” is not a level: write beginner, intermediate, advanced, or nothing",
          "3:6: “Topspin” is not a spin:"
            + " write flat, topspin, backspin, extreme-topspin, extreme-backspin, or nothing",
          "4:19: zone 1-1 advanced flat: a command has exactly 18 digits, not 17",
          "5:19: zone 1-1 beginner flat: yaw 4501 is outside this machine's limits, 0 to 4500",
          "6:1: a line has four columns, zone,level,spin,command, not 3",
          "8:1: zone 1-1 advanced flat was given before, on line 7",
          "9:1: “9-9” is not a zone: write row-column, each 0 to 3, such as 1-1",
        ]
    )
    let lacking = plain.replacing("2-3,,,", with: "2-3,advanced,,")
    #expect(
      CommandTable.errors(csv: "zone,level,spin,command\n" + lacking).map(\.description) == [
        "17:1: the table ends without a line that has neither level nor spin for zone 2-3"
      ]
    )
    let header =
      "the first line is zone,command, and with levels and spins, or one of them,"
      + " zone,level,spin,command"
    #expect(
      CommandTable.errors(csv: "zone,levels,command\n" + plain).map(\.description)
        == ["1:1: \(header)"]
    )
    #expect(
      CommandTable.errors(csv: Self.plain + "1-1,beginner,110001060014004500\n").map(\.description)
        == ["17:1: \(header)"]
    )
    #expect(
      CommandTable.errors(csv: "zone,level,upper,lower,pitch,yaw,feed\n").map(\.description) == [
        "1:1: the table is for machine.encoding framed, and it is digits here"
      ]
    )
  }

  @Test func aTurnTakesTheLongerOfBothTimes() throws {
    let near = try MachineCommand(digits: "110001060014004500")
    let far = try MachineCommand(digits: "110001060016009500")
    #expect(MachineSlew().time(from: near, to: far) == .zero)
    #expect(MachineSlew(yaw: 0.0002).time(from: near, to: far) == .seconds(1))
    let slew = MachineSlew(yaw: 0.0002, pitch: 0.01)
    #expect(slew.time(from: far, to: near) == .seconds(2))
    #expect(slew.time(from: near, to: near) == .zero)
  }

  @Test(arguments: ["", "\n", "zone,command\n", "\u{FEFF}"]) func anEmptyTableLacksAll(csv: String)
  {
    #expect(
      throws: CommandTableError(line: 1, reason: .missing(Zone.allCases))
    ) { try CommandTable(csv: csv) }
  }

  @Test func limitsHoldForEachLineButNotForStop() throws {
    // Zone 0-0 of the plain table is the stop command.
    let limits = MachineLimits(.digits, [.yaw: 1...14])
    do {
      _ = try CommandTable(csv: Self.plain, limits: limits)
      Issue.record("the table was taken")
    } catch {
      #expect(
        "\(error)" == "16:5: zone 3-3: yaw 15 is outside this machine's limits, 1 to 14"
      )
    }
  }
}
