import Camera
import Glibc
import Host
import Programs

/// `ballmachine camera still`: a picture to read the court's marks from.
struct StillPicture: Subcommand {
  var camera = CameraOptions()
  var file = ""

  static let usage = Usage<Self>(
    name: "still",
    summary: "Write the camera's picture to a file",
    options: CameraOptions.options.within(\.camera),
    arguments: [.required(.text("FILE"), \.file)],
    details: """
      FILE becomes a JPEG; - is standard output, unless that is a terminal. The picture comes from \
      the camera's service; if that does not run, from the camera. Nothing else ever writes a \
      picture to a disk.
      """
  )

  func validate(isJSON: Bool) throws(UsageError) {
    guard file == "-" else { return }
    guard !isJSON else { throw UsageError("give only one of --json and -") }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw UsageError("standard output is a terminal: name a file, or lead it to one")
    }
  }

  func run(_ output: Output) async throws {
    let picture = try await picture()
    guard file != "-" else { return try await output.write(bytes: picture) }
    do throws(SystemError) { try write(picture) } catch {
      throw Failure(ExitCode(writing: error), error)
    }
    try await output.confirm(Done(file: file, bytes: picture.count))
  }

  private func picture() async throws -> [UInt8] {
    let client = CameraClient(path: ProgramPlaces.camera.socket)
    do throws(CameraClientError) { return try await client.still() } catch {
      guard error.code == .unreachable else { throw error }
    }
    let settings = try camera.settings()
    let clock = SystemClock()
    return try await OneFrame(settings, clock: clock).still()
  }

  private func write(_ picture: [UInt8]) throws(SystemError) {
    let number = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard number >= 0 else { throw SystemError("write \(file)") }
    let descriptor = FileDescriptor(owning: number)
    try writeAll(picture, to: descriptor.number, "write \(file)")
  }

  /// A picture that was written to a file.
  private struct Done: Report {
    var event = "still"
    /// The file's path.
    var file: String
    /// The file's size.
    var bytes: Int

    var text: String { "\(file): \(bytes) bytes" }
  }
}
