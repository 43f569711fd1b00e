import Foundation
import TestSupport
import Testing

/// `bugreport` as a technician runs it, against a mock machine in another process.
@Suite(.mockOnly("the box has no tar"), .mustEnd)
struct CommandLineBugReportTests {
  private static let files = [
    "README.txt", "doctor.txt", "versions.txt", "configuration.yaml", "status.json", "units.txt",
    "service.log", "kernel.log", "objects.txt", "session.ndjson",
  ]

  private func text(_ name: String, of folder: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  @Test func aFolderHasAllAndNamesNoStranger() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock("machine 11:22:33:44:55:66 name Passer-by advertises 180d")
      #expect(try await setup.run(["scan", "--bus", setup.address, "--duration", "2"]).code == 0)
      let sessions = setup.path("state/sessions")
      try FileManager.default.createDirectory(atPath: sessions, withIntermediateDirectories: true)
      _ = try setup.write(
        "{\"heard\":\"11:22:33:44:55:66\"}\n",
        to: "state/sessions/000001-20261121T165737Z-001.ndjson"
      )
      let file = try setup.write("# hush-hush\ncourt:\n  apron: 3\n", to: "config.yaml")
      let folder = setup.path("report")
      let result = try await setup.run([
        "bugreport", "--folder", "--config", file, "--bus", setup.address, folder,
      ])
      #expect(result.code == 0, "\(result.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == Self.files.sorted()
      )
      // Before anybody gives it away, it is told what is in it.
      for name in Self.files {
        #expect(result.output.contains("\n\(name) ") || result.output.hasPrefix(name))
      }
      #expect(result.output.contains("Nothing has been sent"))
      let all = try Self.files.map { try text($0, of: folder) }.joined()
      #expect(!all.contains("11:22:33:44:55:66") && !all.contains("11_22_33_44_55_66"))
      #expect(!all.contains("Passer-by") && !all.contains("hush-hush"))
      #expect(try text("session.ndjson", of: folder) == "{\"heard\":\"XX:XX:XX:XX:XX:01\"}\n")
      let objects = try text("objects.txt", of: folder)
      #expect(objects.contains("device \(CommandLineSetup.machine): "))
      #expect(objects.contains("device XX:XX:XX:XX:XX:01: "))
      #expect(try text("doctor.txt", of: folder).contains("bluetoothd.simulated\nnote "))
      let versions = try text("versions.txt", of: folder)
      #expect(versions.contains("libdbus 1.") && versions.contains(" (development build)\n"))
      #expect(try text("configuration.yaml", of: folder).contains("apron: 3"))
      #expect(try text("status.json", of: folder).contains("no service runs"))
    }
  }

  /// systemd starts a service that has crashed again, with a new run of the log.
  @Test func theSessionBeforeACrashIsInIt() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let sessions = setup.path("state/sessions")
      try FileManager.default.createDirectory(atPath: sessions, withIntermediateDirectories: true)
      let lines = [
        "{\"event\":\"safety\",\"state\":\"live\"}\n{\"event\":\"dispatch\"}\n",
        "{\"event\":\"safety\",\"state\":\"disarmed\"}\n",
      ]
      for (index, text) in lines.enumerated() {
        let name = "00000\(index + 1)-20261121T165737Z-001.ndjson"
        _ = try setup.write(text, to: "state/sessions/\(name)")
      }
      let folder = setup.path("report")
      let result = try await setup.run(["bugreport", "--folder", "--bus", setup.address, folder])
      #expect(result.code == 0, "\(result.errors)")
      #expect(try text("session.ndjson", of: folder) == lines[0])
      #expect(try text("newest.ndjson", of: folder) == lines[1])
      #expect(result.output.contains("\nnewest.ndjson "), "\(result.output)")
    }
  }

  @Test func anArchiveIsForItsOwnerAlone() async throws {
    try await CommandLineSetup.with { setup in
      _ = try await setup.mock()
      let archive = setup.path("report.tar.gz")
      let arguments = ["bugreport", "--json", "--bus", setup.address, archive]
      let result = try await setup.run(arguments)
      #expect(result.code == 0, "\(result.errors)")
      let mode = try FileManager.default.attributesOfItem(atPath: archive)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
      let folder = setup.path("unpacked")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let tar = try await BuiltProgram.run(
        [archive, folder],
        script: #"tar -xzf "$2" -C "$3" --strip-components 1"#
      )
      #expect(tar.code == 0, "\(tar.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == Self.files.sorted()
      )
      // What is there is not overwritten.
      let again = try await setup.run(arguments)
      #expect(again.code == 74 && again.errors.contains("exists already"))
    }
  }
}
