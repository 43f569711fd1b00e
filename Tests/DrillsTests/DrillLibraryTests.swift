import CourtLogic
import Drills
import Foundation
import Host
import TestSupport
import Testing
import Training

/// Where drills are found by their names.
struct DrillLibraryTests {
  @Test(arguments: [
    "../etc/passwd", "a/b", "", ".", "-x", "Two", "two corners", "ä", "a.yaml",
    String(repeating: "a", count: 41),
  ])
  func aNameIsNeverAPath(_ name: String) {
    #expect(!DrillLibrary.isName(name))
    #expect(throws: DrillError.self) { try DrillLibrary(folders: ["/"]).drill(named: name) }
  }

  @Test func theShippedDrillsAreValidAtEachLevel() throws {
    let library = DrillLibrary(folders: [])
    let names = try library.names().drills
    #expect(names == ["deep-deep-short", "run", "three-to-the-backhand", "two-corners"])
    let table = try CommandTable { _ in try MachineCommand(digits: "110001060014004500") }
    for name in names {
      let file = try library.drill(named: name)
      #expect(file.levels == SkillLevel.allCases && file.title != nil && file.about != nil)
      for level in [nil] + SkillLevel.allCases.map(Optional.some) {
        let problems = file.problems(
          at: level,
          table: table,
          tablePath: "",
          leastInterval: .milliseconds(2_950)
        )
        #expect(problems == [], "\(name)")
      }
    }
  }

  @Test func aFileReplacesABuiltInDrill() throws {
    let folder = try TemporaryDirectory()
    let yaml = "aim: follow\ninterval: 5\nballs: 7\n"
    for name in ["run.yaml", "mine.yaml", "Mine.yaml", "notes.txt", ".hidden.yaml"] {
      _ = try folder.write(yaml, to: name)
    }
    let library = DrillLibrary(beside: folder("config.yaml"))
    #expect(library.folders == [folder("drills")])
    let here = DrillLibrary(folders: [folder.path])
    let (names, misnamed) = try here.names()
    #expect(
      names == ["deep-deep-short", "mine", "run", "three-to-the-backhand", "two-corners"]
    )
    #expect(misnamed == ["\(folder.path)/Mine.yaml", "\(folder.path)/notes.txt"])
    let run = try here.drill(named: "run")
    #expect(run.source == "\(folder.path)/run.yaml" && run.drill(at: nil).balls == 7)
    #expect(try DrillLibrary(folders: ["/nowhere"]).drill(named: "run").source == "built in")
  }

  @Test func anUnknownNameGetsAHint() {
    func message(_ name: String) -> String {
      do throws(DrillError) { _ = try DrillLibrary(folders: ["/nowhere"]).drill(named: name) } catch
      {
        #expect(error.isMissing)
        return "\(error)"
      }
      return ""
    }
    #expect(
      message("tow-corners")
        == "there is no drill tow-corners, neither built in nor in /nowhere; did you mean two-corners?"
    )
    #expect(
      message("serve").hasSuffix(
        "there are deep-deep-short, run, three-to-the-backhand, two-corners"
      )
    )
  }
}
