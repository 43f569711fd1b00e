import CourtMapping

/// How ffmpeg is asked to read what this program can't read itself. Source: ffmpeg(1) and
/// ffmpeg-formats(1), of 5.1 and later.
package enum FFmpeg {
  package static let program = "ffmpeg"

  static var isInstalled: Bool { FrameProgram.path(of: program) != nil }

  /// The line that makes a film readable without it.
  package static func line(for film: String) -> String {
    let name = film.last { $0 == "/" } == nil ? film : String(film.split(separator: "/").last ?? "")
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return "ffmpeg -i \(name) -c:v mjpeg -q:v 3 -f mjpeg \(stem).mjpeg"
  }

  /// For a program whose frames are in another form.
  static let streamAdvice =
    "let it write MJPEG, or lead it through `ffmpeg -i pipe:0 -c:v mjpeg -q:v 3 -f mjpeg pipe:1'"

  private static let quiet = [program, "-nostdin", "-hide_banner", "-nostats", "-loglevel"]
  private static let output = ["-flush_packets", "1", "-f", "yuv4mpegpipe", "pipe:1"]

  /// Reads a film, turned as it says, and writes Y4M of so many frames a second.
  package static func reading(film path: String, rate: Int) -> [String] {
    quiet + ["error", "-protocol_whitelist", "file", "-i", "file:" + path, "-map", "0:v:0"]
      + ["-vf", "fps=\(rate),\(fitting(width: 1280)),format=yuv420p"] + output
  }

  // MARK: A camera at the network

  /// Reads what ``script(_:_:)`` names from its standard input, and writes Y4M. Where pictures say when
  /// they were taken, their times go to descriptor 3, see ``PictureStamps``.
  ///
  /// The address is no argument: those can be read by every user of the box.
  static func reading(_ address: StreamAddress, size: PictureSize?) -> [String] {
    // A filter prints only what it finds.
    let stamps =
      "metadata=mode=add:key=k:value=v,metadata=mode=print:file=pipe\\\\:3:direct=1,"
    let scale = size.map { "scale=w=\($0.width):h=\($0.height)" } ?? fitting(width: 640)
    return quiet + ["error"]
      + ["-protocol_whitelist", "pipe,rtsp,rtsps,rtp,srtp,udp,tcp,tls,http,https,httpproxy,crypto"]
      // Other threads would each hold a picture back.
      + ["-thread_type", "slice", "-f", "concat", "-safe", "0", "-i", "pipe:0", "-map", "0:v:0"]
      + ["-fps_mode", "passthrough"]
      + ["-vf", (address.hasStamps ? stamps : "") + scale + ",format=yuv420p"] + output
  }

  /// What is read: one file of a list, with its options.
  static func script(_ address: StreamAddress, _ login: CameraLogin?) -> String {
    let options = address.hasStamps ? ["rtsp_transport tcp", "timeout 10000000"] : []
    let quoted = complete(address, login).split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    return "ffconcat version 1.0\nfile '\(quoted)'\n"
      + (options + ["fflags nobuffer"]).map { "option \($0)\n" }.joined()
  }

  /// The address with the user and the password.
  static func complete(_ address: StreamAddress, _ login: CameraLogin?) -> String {
    guard let login else { return address.description }
    guard address.hasPlaces else {
      return "\(address.scheme)://\(login.inAddress)@\(address.rest)"
    }
    return address.description
      .pieces(around: StreamAddress.userPlace).joined(separator: CameraLogin.encoded(login.user))
      .pieces(around: StreamAddress.passwordPlace)
      .joined(separator: CameraLogin.encoded(login.password))
  }

  /// Not larger than the finding needs, and with an even number of rows.
  private static func fitting(width: Int) -> String { "scale=w='min(\(width),iw)':h=-2" }
}
