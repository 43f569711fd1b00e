/// What ffmpeg said when it could not read a camera at the network, without what must stay secret.
struct FFmpegComplaint {
  private let address: StreamAddress
  private let login: CameraLogin?

  init(_ address: StreamAddress, _ login: CameraLogin?) {
    self.address = address
    self.login = login
  }

  /// Kinds of failures by what ffmpeg prints, the most telling first. Sources: FFmpeg's
  /// libavutil/error.c and libavformat/rtsp.c, glibc's strerror and gai_strerror.
  private static let kinds: [([String], CameraProblem.Code, String, remedy: String?)] = [
    (
      ["401 Unauthorized", "403 Forbidden"], .wrongPassword, "it refuses the user or the password",
      nil
    ),
    (["404 Not Found", "Stream Not Found"], .noSuchStream, "it has no such stream", nil),
    (["Connection refused"], .unreachable, "nothing listens at this port", nil),
    (["No route to host", "Network is unreachable"], .unreachable, "no way leads there", nil),
    (
      ["Failed to resolve hostname", "Name or service not known"], .unreachable,
      "no host has this name", nil
    ),
    (["Connection timed out"], .unreachable, "nothing answers", nil),
    (
      ["Connection reset by peer", "End of file"], .unreachable, "it has closed the connection", nil
    ),
    (
      ["Unrecognized option", "Option not found", "Protocol not found", "No such filter"],
      .needsProgram,
      "ffmpeg is too old or lacks a part", "install ffmpeg 5.1 or later, as Debian 12 has it"
    ),
    (
      ["matches no streams", "Invalid data found"], .noSuchStream,
      "it sends no video that ffmpeg reads",
      "choose H.264 in the camera's settings, and look for the stream's address in its manual"
    ),
  ]

  /// - Parameter lines: what it has printed, the newest last.
  /// - Returns: nil if it is of no known kind.
  func problem(_ lines: [String]) -> CameraProblem? {
    for (texts, code, cause, remedy) in Self.kinds
    where lines.contains(where: { line in texts.contains { line.has($0) } }) {
      return CameraProblem(code, address.description, cause, remedy: remedy)
    }
    return nil
  }

  /// - Returns: the line without user and password, however they are written.
  func scrubbed(_ line: String) -> String {
    var text = Self.withoutUsers(line)
    guard let login else { return text }
    // The longest first: one may be a part of another.
    let secrets = [
      login.inAddress, "\(login.user):\(login.password)", login.password,
      CameraLogin.encoded(login.password), login.user, CameraLogin.encoded(login.user),
    ]
    for secret in secrets.sorted(by: { $0.count > $1.count }) where !secret.isEmpty {
      text = text.pieces(around: secret).joined(separator: "…")
    }
    return text
  }

  /// Leaves out what stands between `://` and the last `@` of a word.
  private static func withoutUsers(_ line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
      let pieces = String(word).pieces(around: "://")
      let rest = pieces.dropFirst().joined(separator: "://")
      guard let at = rest.lastIndex(of: "@") else { return String(word) }
      return pieces[0] + "://…" + rest[at...]
    }.joined(separator: " ")
  }
}
