import ControlProtocol
import Foundation
import JSON
import Programs
import TestSupport
import Testing

@testable import ballmachine

/// With `--json`, a run that fails ends with an object that says why.
struct ErrorReportTests {
  private struct ErrorFields: Decodable, Equatable {
    var event = "error"
    var code: String
    var exitStatus: Int32
    var reason: String
  }

  private let folder = FileManager.default.temporaryDirectory.path + "/no-bridge-is-here"

  /// The last line as an error object.
  private func error(of result: BuiltProgram.Result) throws -> ErrorFields {
    let line = try #require(result.lines.last, "\(result)")
    return try JSONDecoder().decode(ErrorFields.self, from: Data(line.utf8))
  }

  @Test(arguments: BallMachine.subcommands.map(name).filter { $0 != "metrics" })
  func everySubcommandSaysSo(_ name: String) async throws {
    let result = try await BuiltProgram.run([name, "--nonsense", "--json"])
    let error = try error(of: result)
    #expect(error.event == "error" && error.code == "usage" && error.exitStatus == 64)
    #expect(result.code == 64 && result.lines.count == 1)
    #expect(result.errors.contains("unrecognized option '--nonsense'"))
    let text = try await BuiltProgram.run([name, "--nonsense"])
    #expect(text.code == 64 && text.output == "")
  }

  private static func name(of type: any Subcommand.Type) -> String {
    func name<Command: Subcommand>(_ type: Command.Type) -> String { type.usage.name }
    return name(type)
  }

  @Test(arguments: [
    (["status"], "unavailable", 69, "no service"),
    (["send", "--yes", "--zone", "1", "--bus", "unix:path=/none"], "unavailable", 69, "/none"),
    (["send", "--zone", "9-9"], "usage", 64, "--zone 9-9: is not a zone"),
    (["check-table", "/proc/none"], "noInput", 66, "can't open /proc/none"),
    (["explain", "--zone", "1", "--table", "/dev/null"], "badData", 65, "the table ends without"),
    (["nonsense"], "usage", 64, "there is no subcommand 'nonsense'"),
  ])
  func itsCodeIsTheExitStatuss(
    _ arguments: [String],
    _ code: String,
    _ status: Int32,
    _ reason: String
  ) async throws {
    let result = try await BuiltProgram.run(
      arguments + ["--json"],
      environment: ["BALLMACHINE_RUNTIME_DIR": folder, "BALLMACHINE_STATE_DIRECTORY": folder]
    )
    let error = try error(of: result)
    #expect(error.code == code && error.exitStatus == status && result.code == status)
    #expect(error.reason.contains(reason) && result.errors.contains(reason), "\(result)")
    #expect(result.lines.count == 1)
  }

  @Test func aRefusalOfTheServiceHasItsOwnCode() {
    let refusal = ControlClientError.failed(
      code: ControlError.Code.refused.rawValue,
      message: "wait",
      data: .object(["code": .string("tooSoon")])
    )
    let report = ErrorReport(refusal)
    #expect(report.code == "tooSoon" && report.exitStatus == 75 && report.reason == "wait")
  }
}
