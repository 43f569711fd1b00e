package import CourtMapping
import Glibc
package import Host
import JSON
package import YAML

/// A calibration as it is kept on a disk: `court.yaml`.
package struct CalibrationFile: Hashable, Sendable {
  package let calibration: Calibration
  /// When it was made.
  package let time: WallTime?
  /// What made it.
  package let source: String?
  /// The share of the court's lines that was seen where the points put them, 0…1: of those across the
  /// court or of those along it, whichever is less. In older files it is that of both together, which
  /// is about the same for a camera in its place.
  package let lines: Double?
  /// What a person has confirmed, word for word: ``Calibration/sentence``.
  package var confirmed: String?

  package init(
    _ calibration: Calibration,
    time: WallTime? = nil,
    source: String? = nil,
    lines: Double? = nil,
    confirmed: String? = nil
  ) {
    self.calibration = calibration
    self.time = time
    self.source = source
    self.lines = lines?.rounded(places: 3)
    self.confirmed = confirmed
  }

  /// A calibration as it would be read back: a file has three decimals.
  ///
  /// - Parameter lens: nil: found from the points, if there are enough.
  package static func calibration(
    marks: [CourtMark: PicturePoint],
    size: PictureSize,
    lens: Double? = nil
  ) throws(CalibrationProblem) -> Calibration {
    let rounded = marks.mapValues { PicturePoint($0.u.rounded(places: 3), $0.v.rounded(places: 3)) }
    let found = try Calibration(marks: rounded, size: size, lens: lens)
    return try Calibration(marks: rounded, size: size, lens: found.lens.rounded(places: 3))
  }

  /// A camera in its place sees 0.7 and more of the lines that are wide enough in its picture.
  private static let leastLines = 0.5

  /// What a person has to look at although the points fit.
  package var warnings: [CalibrationWarning] {
    calibration.warnings + (lines ?? 0 < Self.leastLines ? [.fewLines] : [])
  }

  /// Whether a person has seen that the camera stands where these points say.
  package var isConfirmed: Bool { confirmed == calibration.sentence }

  /// What a person has to do before it is used.
  package var confirmation: String {
    let was = confirmed.map { ", not as it says, \"\($0)\"" } ?? ""
    return """
      the camera would be \(calibration.sentence)\(was): if that is true, write below made: \
      confirmed: "\(calibration.sentence)"
      """
  }

  package init(path: String) throws(CalibrationFileError) {
    var loader = YAMLLoader<CalibrationDocument>()
    loader.read(path, .named)
    guard loader.problems.isEmpty else {
      throw CalibrationFileError(path: path, problems: loader.problems, cause: nil)
    }
    let values = loader.values
    guard let size = values.size else {
      throw CalibrationFileError(path: path, text: "picture.size is missing")
    }
    do throws(CalibrationProblem) {
      let calibration = try Calibration(marks: values.marks, size: size, lens: values.lens)
      self.init(
        calibration,
        time: values.time,
        source: values.source,
        lines: values.lines,
        confirmed: values.confirmed
      )
    } catch {
      let place = error.marks.lazy.compactMap { loader.origins["points.\($0.rawValue)"] }.first
      let problem =
        place.map { YAMLProblem(at: $0, "\(error)") } ?? YAMLProblem(in: path, "\(error)")
      throw CalibrationFileError(path: path, problems: [problem], cause: error)
    }
  }

  /// The calibration as YAML that is read back as the same calibration.
  package var yaml: String {
    var document = CalibrationDocument()
    document.size = calibration.size
    document.lens = calibration.lens
    document.marks = calibration.marks
    document.time = time
    document.source = source
    document.lines = lines
    document.confirmed = confirmed
    let sections = CalibrationDocument.schema.sections.map { section in
      let none = CalibrationDocument()
      let keys = section.keys.filter { $0.yaml(document) != $0.yaml(none) }
      return "\(section.name):\n" + keys.map { "  \($0.name): \($0.yaml(document))\n" }.joined()
    }
    return """
      # Where marks of the court are in a camera's picture; see ballmachine.yaml(5).
      \(sections.joined(separator: "\n"))
      """
  }
}

extension CalibrationFile {
  /// Replaces the file in one step.
  ///
  /// - Throws: `SystemError`, or ``CalibrationFileError`` if the file would not be read back as it is:
  ///   its source may be any text.
  package func write(to path: String) throws {
    let text = Array(yaml.utf8)
    var loader = YAMLLoader<CalibrationDocument>()
    loader.read(text, of: path)
    guard loader.problems.isEmpty, loader.values.source == source else {
      let reason = loader.problems.first.map { "\($0)" } ?? "made.by has control characters"
      throw CalibrationFileError(path: path, text: "is not replaced: \(reason)")
    }
    try ReplacedFile.write(text, to: path)
  }

  /// - Throws: what a person has to do before it is used.
  package func requireConfirmation(at path: String) throws(CalibrationFileError) {
    guard isConfirmed else { throw CalibrationFileError(path: path, text: confirmation) }
  }
}

/// Why a file gives no calibration: all that is wrong, a line each.
package struct CalibrationFileError: Error, Hashable, Sendable, Lined {
  package let path: String
  package let problems: [YAMLProblem]
  /// If the file is well-formed, but its points make no calibration.
  package let cause: CalibrationProblem?

  init(path: String, problems: [YAMLProblem], cause: CalibrationProblem?) {
    self.path = path
    self.problems = problems
    self.cause = cause
    isMissing = access(path, R_OK) != 0
  }

  package init(path: String, text: String) {
    self.init(path: path, problems: [YAMLProblem(in: path, text)], cause: nil)
  }

  /// Whether the file can't be opened.
  package let isMissing: Bool

  package var lines: [String] { problems.map(\.description) }
}
