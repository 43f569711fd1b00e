import Calibrations
import Camera
import ControlProtocol
import CourtMapping
import Glibc
import Host
import JSON
import Programs

/// `ballmachine camera calibrate`: from marks of the court in a picture to a calibration.
struct Calibrate: Subcommand {
  var camera = CameraOptions()
  var still: String?
  var points: [CourtMark: PicturePoint] = [:]
  var lens: Double?
  var snaps = false
  var confirmed: String?
  var write: String?

  static let usage = Usage<Self>(
    name: "calibrate",
    summary: "Say where the court is in the picture",
    alternatives: ["--still FILE --point NAME=U,V ..."],
    options: CameraOptions.options.within(\.camera) + [
      .value(
        "still",
        .text("FILE"),
        \.still,
        "The picture in which the points are: a JPEG, or what ffmpeg reads"
      ),
      .value(
        "point",
        .markedPoint,
        \.point,
        "A mark of the court and its pixels, such as baseline-left=195.8,494; give six or more"
      ),
      .value(
        "lens",
        .number("NUMBER", in: Calibration.lenses),
        \.lens,
        "How the lens bends the picture, if it is known"
      ),
      .flag("snap", \.snaps, "Move the points to the painted lines of the picture"),
      .value(
        "confirm",
        .text("SENTENCE"),
        \.confirmed,
        "Where the camera stands, word for word as this prints it"
      ),
      .value("write", .text("FILE"), \.write, "Write the calibration to this file alone"),
    ],
    details: """
      It prints where the camera would stand, how far each point is off, and how exact positions \
      will be. With --snap it first moves the points to the painted lines. A picture that its camera marks as turned \
      is turned; points are in it as it is seen then. A court that is turned by half fits any points, so a person has to compare the first \
      line with the camera: at a terminal it asks, elsewhere it wants --confirm.

      Then the camera's service writes the calibration and goes on with it, and the bridge reloads \
      its own. While balls may fly, or if the bridge does not say, nothing is changed. Without the \
      service, or with --write, this program writes the file. It ends with 75 if the bridge has not \
      reloaded it.

      The marks are:

      \(CourtMark.allCases.map(\.rawValue).joined(separator: ", "))
      """
  )

  /// The option's value goes to the points.
  fileprivate var point: MarkedPoint {
    get { MarkedPoint(mark: .netCentre, place: PicturePoint(0, 0)) }
    set { points[newValue.mark] = newValue.place }
  }

  func validate() throws(UsageError) {
    guard still != nil || camera.size != nil else {
      throw UsageError("give the picture (--still), or its size (--size)")
    }
    guard still != nil || !snaps else { throw UsageError("--snap needs the picture (--still)") }
  }

  func run(_ output: Output) async throws {
    let settings = try camera.settings()
    let path = write ?? settings.calibration
    let found = try await found()
    var file = CalibrationFile(
      found.calibration,
      time: WallTime(),
      source: "ballmachine camera calibrate",
      lines: found.lines,
      confirmed: confirmed
    )
    let record = CalibrationRecord(file, path: path)
    try await output.write(RecordReport("calibration", record, lines: record.lines))
    file.confirmed = try await confirmation(of: file.calibration)
    if write != nil { return try keep(file, at: path) }
    let bridge = try await RunningBridge.find()
    let written = try await hand(file, to: path)
    try await output.write(Written(path: written, bridge: try await bridge?.reload(written)))
  }

  private func found() async throws -> CalibrationDraft {
    var photo: StillPhoto?
    if let still {
      let read = try await CourtPhoto.read(still)
      if read.turn != .none {
        Output.complain(
          "\(still): \(read.turn.text), as its camera noted; points are in the turned picture, "
            + "\(read.size)"
        )
      }
      photo = read
    }
    guard let size = photo?.size ?? camera.size else {
      throw Failure(.badData, "the picture is too small")
    }
    do {
      let rough = try CalibrationFile.calibration(marks: points, size: size, lens: lens)
      return try CalibrationDraft(rough, in: photo?.picture, snaps: snaps)
    } catch {
      throw Failure(.badData, error)
    }
  }

  /// What a person has confirmed, now or on the command line.
  private func confirmation(of calibration: Calibration) async throws -> String {
    let sentence = calibration.sentence
    if confirmed == sentence { return sentence }
    guard confirmed == nil, isatty(STDIN_FILENO) == 1 else {
      throw Failure(
        .badData,
        "not written: if the camera stands there, add --confirm '\(sentence)'"
      )
    }
    Output.complain("Does the camera stand there? Type yes, and Enter.")
    for await line in InputLines.standardInput {
      if line == "yes" { return sentence }
      break
    }
    throw Failure(.temporary, "not written")
  }

  /// Hands the calibration to the camera's service, or to the disk if there is none.
  ///
  /// - Returns: the file that was written.
  private func hand(_ file: CalibrationFile, to path: String) async throws -> String {
    let service = CameraClient(path: ProgramPlaces.camera.socket)
    do {
      let own = try await service.status().calibration.file
      if let given = camera.calibration, given != own {
        throw Failure(
          .usage,
          "nothing was changed: the camera's service uses \(own); leave out --calibration, or say --write"
        )
      }
      return try await service.calibrate(CalibrationRequest(file)).file
    } catch let error as CameraClientError where error.code == .unreachable {
      try keep(file, at: path)
      return path
    }
  }

  private func keep(_ file: CalibrationFile, at path: String) throws {
    do { try file.write(to: path) } catch let error as SystemError {
      throw Failure(ExitCode(writing: error), error)
    }
  }
}

/// A mark and where it is in the picture.
struct MarkedPoint: Sendable {
  var mark: CourtMark
  var place: PicturePoint
}

extension ValueKind where Value == MarkedPoint {
  static var markedPoint: ValueKind {
    ValueKind("NAME=U,V") { (text) throws(UsageError) in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw UsageError("is not NAME=U,V") }
      guard let mark = CourtMark(rawValue: parts[0]) else {
        let meant = nearMiss(parts[0], among: CourtMark.allCases.map(\.rawValue))
        throw UsageError(
          "there is no mark \(parts[0])" + (meant.map { "; did you mean \($0)?" } ?? "")
        )
      }
      let numbers = parts[1].split(separator: ",", omittingEmptySubsequences: false)
      guard numbers.count == 2 else { throw UsageError("is not NAME=U,V") }
      let kind = ValueKind<Double>.number("PIXELS", in: 0...Double(PictureSize.range.upperBound))
      return MarkedPoint(
        mark: mark,
        place: PicturePoint(try kind.parse(String(numbers[0])), try kind.parse(String(numbers[1])))
      )
    }
  }
}

extension ValueKind where Value == PictureSize {
  static var pictureSize: ValueKind {
    ValueKind("WIDTHxHEIGHT") { (text) throws(UsageError) in
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1],
        let size = PictureSize(width: width, height: height)
      else { throw UsageError("is not a size such as 1280x720") }
      return size
    }
  }
}

/// The bridge that uses the calibration, asked with this person's rights: the camera's own program
/// has none.
private struct RunningBridge {
  let client: ControlClient

  /// - Returns: nil if none runs.
  /// - Throws: if balls may fly, or it isn't known.
  static func find() async throws -> RunningBridge? {
    let client: ControlClient
    let status: JSONValue
    do {
      client = try await ControlClient.connect(in: .ofRunningBridge())
      status = try await client.call(.status)
    } catch ControlClientError.noService {
      return nil
    } catch {
      throw Failure(
        .temporary,
        "whether balls may fly can't be asked; nothing was changed: \(error)"
      )
    }
    guard let state = status["safety"]?["state"]?.string, state != "live", state != "countdown"
    else {
      throw Failure(.temporary, "balls may fly: pause or disarm first; nothing was changed")
    }
    return RunningBridge(client: client)
  }

  func reload(_ file: String) async throws -> String {
    do throws(ControlClientError) {
      let answer = try await client.call(.reload())
      let record = try? answer.decoded(as: ReloadRecord.self)
      return record?.applied.contains("court.calibration") == true
        ? "the bridge uses it"
        : "the bridge has no new calibration: does its court.calibration name this file?"
    } catch {
      throw Failure(.temporary, "\(file): written, but the bridge has not reloaded it: \(error)")
    }
  }
}

/// A calibration that was written, and whether the bridge uses it.
private struct Written: Report {
  var event = "calibrated"
  /// The file's path.
  var file: String
  /// Whether the bridge uses it, or why not, in words.
  var reason: String

  init(path: String, bridge: String?) {
    file = path
    reason = bridge ?? "no bridge runs"
  }

  var text: String { "\(file): written; \(reason)" }
}
