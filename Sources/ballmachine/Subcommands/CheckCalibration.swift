import Calibrations
import Configuration
import Host
import Options
import Programs

/// `ballmachine check-calibration`: whether a camera's calibration is usable, and how exact it is.
struct CheckCalibration: Subcommand {
  var configuration = ConfigurationOptions()
  var file: String?

  static let usage = Usage<Self>(
    name: "check-calibration",
    summary: "Check a camera's calibration",
    options: ConfigurationOptions.options.within(\.configuration),
    arguments: [.optional(.text("FILE"), \.file)],
    details: """
      FILE is YAML: the picture's size, where marks of the court are in it, and what a person has \
      confirmed. Without FILE it is the configured one, court.calibration.

      It prints where the camera would stand, how far each mark is off, and how far off a \
      position in each zone is at most if a foot is 3 pixels off. It ends with 65 if the points \
      make no calibration, or if no person has confirmed where the camera stands; with 66 if there \
      is no FILE.
      """
  )

  func run(_ output: Output) async throws {
    let settings = file == nil ? try configuration.effective().values.court : CourtSettings()
    guard let path = file ?? settings.calibration else {
      throw Failure(.noInput, "court.calibration names no file; give one")
    }
    let found: CalibrationFile
    do throws(CalibrationFileError) { found = try CalibrationFile(path: path) } catch {
      throw try await output.report(
        error.problems,
        endingWith: error.isMissing ? .noInput : .badData
      )
    }
    let record = CalibrationRecord(found, path: path, court: settings.court)
    try await output.write(RecordReport("calibration", record, lines: record.lines))
    guard found.isConfirmed else { throw Failure(.badData, "not confirmed: it is not used") }
  }
}
