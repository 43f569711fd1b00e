import Configuration
import CourtLogic
import Programs
import Testing

@testable import Options
@testable import ballmachine

/// How the command line stands above the configuration's files.
struct ConfigurationOptionsTests {
  private func overridden(_ line: String, _ settings: MachineSettings) throws -> MachineSettings {
    let serve = try parse(
      Serve.self,
      arguments: line.split(separator: " ").map(String.init),
      mode: .silent
    ).command
    var settings = settings
    serve.machine.override(&settings)
    return settings
  }

  private static let configured: MachineSettings = {
    var settings = MachineSettings()
    settings.bus = "session"
    settings.adapter = "AA:BB:CC:DD:EE:01"
    settings.address = "F0:F1:F2:F3:F4:F5"
    settings.service = "ffe0"
    settings.characteristic = "ffe1"
    return settings
  }()

  @Test func whatIsNotGivenStays() throws {
    #expect(try overridden("", Self.configured) == Self.configured)
  }

  @Test func whatIsGivenCounts() throws {
    let settings = try overridden(
      "--bus system --adapter AA:BB:CC:DD:EE:02 --service 1800 --characteristic 1801",
      Self.configured
    )
    #expect(settings.bus == "system" && settings.adapter == "AA:BB:CC:DD:EE:02")
    #expect(settings.service == "1800" && settings.characteristic == "1801")
    #expect(settings.address == Self.configured.address)
  }

  /// An address beside it would decide alone, and the given name would count for nothing.
  @Test func aGivenNameTakesTheConfiguredAddressAway() throws {
    let settings = try overridden("--name Other", Self.configured)
    #expect(settings.name == "Other" && settings.address == nil)
  }

  @Test func aGivenApronAndTableCount() {
    var settings = CourtSettings()
    settings.table = "configured.csv"
    CourtOptions().override(&settings)
    #expect(settings.table == "configured.csv" && settings.court == Court())
    var options = CourtOptions()
    options.tablePath = "given.csv"
    options.apron = 3
    options.override(&settings)
    #expect(settings.table == "given.csv" && settings.court.apron == 3)
  }

  @Test func withoutFilesThereAreTheDefaults() throws {
    let configuration = try ConfigurationOptions.none.effective()
    #expect(configuration.values == BridgeConfiguration())
    #expect(configuration.origins.isEmpty && configuration.table == CommandTableFile.builtIn)
  }
}
