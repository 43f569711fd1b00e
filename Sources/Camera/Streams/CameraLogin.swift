import Host

/// The user and the password that a camera at the network wants.
package struct CameraLogin: Hashable, Sendable {
  let user: String
  let password: String

  /// What ffmpeg keeps of both, as they stand in an address. Source: FFmpeg's libavformat/rtsp.c,
  /// `char auth[128]`.
  private static let longest = 127

  /// - Parameter path: of a file with `USER:PASSWORD`, which no other user may read.
  package init(path: String) throws(CameraProblem) {
    let text: String
    do throws(SystemError) { text = try SecretFile.line(of: path) } catch {
      throw CameraProblem(.passwordFile, path, error.description)
    }
    try self.init(text, in: path)
  }

  /// - Parameter path: for messages.
  init(_ text: String, in path: String) throws(CameraProblem) {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw CameraProblem(.passwordFile, path, "it is not USER:PASSWORD")
    }
    user = String(text[..<colon])
    password = String(text[colon...].dropFirst())
    guard inAddress.utf8.count <= Self.longest else {
      throw CameraProblem(
        .passwordFile,
        path,
        "the user and the password are too long for ffmpeg",
        remedy: "give the camera a shorter password"
      )
    }
  }

  /// `USER:PASSWORD` as it stands in front of an address' host.
  var inAddress: String { "\(Self.encoded(user)):\(Self.encoded(password))" }

  /// As it stands in an address. Source: RFC 3986, 3.2.1, without the quotation mark.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || "-._~!$&()*+,;=".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : digits.count < 2 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
