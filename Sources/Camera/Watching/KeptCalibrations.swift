import Calibrations
import Glibc
import Host

/// The calibrations of the configured camera and of phones, of which one is in use.
///
/// The one in use is a file that the bridge reads, too. While it is a phone's, the configured
/// camera's is kept beside it, so that the files alone say whose it is: after a crash, too.
struct KeptCalibrations {
  /// Of phones: places of one that stands elsewhere each day would fill a disk. The oldest goes.
  static let mostOfPhones = 64
  /// A calibration has 2 kB.
  private static let longest = 65_536

  /// The file that is in use.
  let path: String

  private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }
  /// The configured camera's, while another one is in use; empty if it has none.
  private var configured: String { folder + "configured.yaml" }
  private var phones: String { folder + "phones" }

  init(path: String) { self.path = path }

  /// Puts the place's calibration into use, if it has one.
  ///
  /// - Returns: it, or why there is none.
  func use(for place: CalibratedPlace) -> Result<CalibrationFile, CalibrationFileError> {
    do throws(SystemError) {
      guard try isPutIntoUse(for: place) else {
        let text = "this phone has not been calibrated in this place"
        return .failure(CalibrationFileError(path: path, text: text))
      }
    } catch {
      return .failure(CalibrationFileError(path: path, text: "\(error)"))
    }
    return Result { () throws(CalibrationFileError) in try CalibrationFile(path: path) }
  }

  private func isPutIntoUse(for place: CalibratedPlace) throws(SystemError) -> Bool {
    guard let name = place.fileName else {
      try restoreConfigured()
      return true
    }
    guard let kept = try bytes(of: phones + "/" + name) else { return false }
    try put(kept)
    return true
  }

  /// Keeps a calibration that was made in the place, and puts it into use.
  ///
  /// - Throws: `SystemError`, or ``CalibrationFileError`` if it would not be read back as it is.
  func keep(_ file: CalibrationFile, for place: CalibratedPlace) throws {
    guard let name = place.fileName else { return try file.write(to: path) }
    if mkdir(phones, 0o755) != 0, errno != EEXIST { throw SystemError("make \(phones)") }
    makeRoom(for: name)
    let kept = phones + "/" + name
    try file.write(to: kept)
    if let bytes = try bytes(of: kept) { try put(bytes) }
  }

  /// Puts a phone's calibration into use, and keeps the configured camera's.
  private func put(_ bytes: [UInt8]) throws(SystemError) {
    if access(configured, F_OK) != 0 {
      try replace(configured, with: try self.bytes(of: path) ?? [])
    }
    try replace(path, with: bytes)
  }

  private func restoreConfigured() throws(SystemError) {
    guard let kept = try bytes(of: configured) else { return }
    // A person may have written another one meanwhile: then that is the configured camera's.
    guard try isOfPhone else { return try remove(configured) }
    if kept.isEmpty {
      try remove(path)
      return try remove(configured)
    }
    guard rename(configured, path) == 0 else { throw SystemError("write \(path)") }
    Directory.flush(holding: path)
  }

  /// Whether what is in use is a phone's, or still the kept one.
  private var isOfPhone: Bool {
    get throws(SystemError) {
      guard let used = try bytes(of: path) else { return true }
      if try bytes(of: configured) == used { return true }
      for name in (try? Directory.names(in: phones)) ?? [] {
        if try bytes(of: phones + "/" + name) == used { return true }
      }
      return false
    }
  }

  private func makeRoom(for name: String) {
    let names = (try? Directory.names(in: phones)) ?? []
    guard names.count >= Self.mostOfPhones, !names.contains(name) else { return }
    let oldest = names.map { name -> (time: Int64, path: String) in
      var status = stat()
      let path = phones + "/" + name
      return (stat(path, &status) == 0 ? status.written : 0, path)
    }.min { $0.time < $1.time }
    if let oldest { _ = unlink(oldest.path) }
  }

  private func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    try ReplacedFile.write(bytes, to: path)
    Directory.flush(holding: path)
  }

  private func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("remove \(path)") }
  }

  /// - Returns: nil if there is no such file.
  private func bytes(of path: String) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try InputFile.bytes(path, longest: Self.longest)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }
}
