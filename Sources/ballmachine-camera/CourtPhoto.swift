import Camera
import CourtMapping
import Glibc
import Host
import Programs

/// Reads the picture that a person names for a calibration.
enum CourtPhoto {
  private static let longestFile = 64 << 20
  /// A large photo on a slow box.
  private static let limit = Duration.seconds(60)

  static func read(_ path: String) async throws -> StillPhoto {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try InputFile.bytes(path, .named, longest: longestFile) ?? []
    } catch {
      throw Failure(ExitCode(opening: error), error)
    }
    guard let kind = ImageKind(bytes) else {
      throw Failure(.badData, "\(path): it is no picture")
    }
    let way = kind == .jpeg ? "" : "; make a JPEG of it: \(kind.conversion(of: path))"
    do throws(PictureProblem) {
      if kind == .jpeg { return try StillPhoto(jpeg: bytes) }
    } catch {
      throw Failure(.badData, "\(path): \(error.cause)\(way)")
    }
    let converted = try await converted(path, kind)
    do throws(PictureProblem) {
      let photo = try StillPhoto(pgm: converted)
      let pixels = photo.size.width * photo.size.height
      guard kind != .heic || pixels >= StillPhoto.largestPart(ofHEIC: bytes) else {
        throw PictureProblem(.unsupported, "ffmpeg reads only \(photo.size) pixels of this HEIC")
      }
      return photo
    } catch {
      throw Failure(.badData, "\(path): \(error.cause)\(way)")
    }
  }

  /// What ffmpeg makes of a file: a picture in grey.
  private static func converted(_ path: String, _ kind: ImageKind) async throws -> [UInt8] {
    let command = [
      "ffmpeg", "-nostdin", "-v", "error", "-protocol_whitelist", "file", "-i", "file:\(path)",
      "-frames:v", "1", "-pix_fmt", "gray", "-f", "image2pipe", "-c:v", "pgm", "-",
    ]
    let way = "make a JPEG of it: \(kind.conversion(of: path))"
    let end: ChildProcess.End
    do throws(SystemError) {
      end = try await ChildProcess.output(
        of: command,
        longest: StillPhoto.mostPixels + 64,
        within: limit
      )
    } catch  where error.code == ENOENT {
      throw Failure(
        .badData,
        "\(path): reading \(kind.rawValue) needs ffmpeg: install it, or \(way)"
      )
    } catch {
      throw Failure(.badData, error)
    }
    guard end.status == 0, !end.output.isEmpty else {
      let reason = end.complaint.map { ", \($0)" } ?? ""
      throw Failure(
        .badData,
        "\(path): ffmpeg can't read this \(kind.rawValue)\(reason); \(way)"
      )
    }
    return end.output
  }
}
