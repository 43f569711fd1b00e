import CourtMapping
import Testing

@testable import Camera

@Suite struct FFmpegTests {
  private func login(_ text: String) throws -> CameraLogin {
    try CameraLogin(text, in: "password")
  }

  /// Characters that an address, a list of ffmpeg's or a shell take for more than themselves.
  static let passwords = [
    "secret", "s3 c:r/e@t'%\\#ü", "''", "\"; rm -rf $HOME `id` && |<>", "{password}",
    "a\tb?c&d=e+f",
    "%41", "-i", "ffconcat version 1.0", "pässwörd…", String(repeating: "x", count: 100), "",
  ]

  @Test(arguments: passwords)
  func noPasswordIsAnArgument(_ password: String) throws {
    let address = try StreamAddress("rtsp://192.168.1.20:554/stream2?a=b&c='d'")
    let login = try login("cam er@:" + password)
    let arguments = FFmpeg.reading(address, size: PictureSize(width: 640, height: 360))
    #expect(arguments.allSatisfy { $0 == "-i" || password.isEmpty || !$0.contains(password) })
    #expect(!arguments.contains { $0.contains("192.168") || $0.contains("cam er") })
    let script = FFmpeg.script(address, login)
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 6 && lines[0] == "ffconcat version 1.0" && lines[5] == "")
    #expect(lines[2...4].allSatisfy { $0.hasPrefix("option ") })
    let named = try #require(unquoted(String(lines[1])))
    #expect(named.hasPrefix("rtsp://cam%20er%40:") && named.hasSuffix("c='d'"))
    let user = named.dropFirst("rtsp://cam%20er%40:".count).prefix { $0 != "@" }
    #expect(decoded(String(user)) == password)
  }

  /// As FFmpeg's av_get_token reads `file '…'`.
  private func unquoted(_ line: String) -> String? {
    guard line.hasPrefix("file ") else { return nil }
    var (text, isQuoted, isEscaped) = ("", false, false)
    for character in line.dropFirst(5) {
      switch character {
      case _ where isEscaped: (text, isEscaped) = (text + String(character), false)
      case "'": isQuoted.toggle()
      case "\\" where !isQuoted: isEscaped = true
      case " " where !isQuoted: return nil
      case _: text.append(character)
      }
    }
    return isQuoted ? nil : text
  }

  private func decoded(_ text: String) -> String? {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let first = rest.popFirst() {
      guard first == UInt8(ascii: "%") else {
        bytes.append(first)
        continue
      }
      guard let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  @Test func someCamerasWantThemInTheAddress() throws {
    let address = try StreamAddress("rtsp://h/user={user}_password={password}_channel=1")
    let whole = FFmpeg.complete(address, try login("adm in:se'cret"))
    #expect(whole == "rtsp://h/user=adm%20in_password=se%27cret_channel=1")
    #expect(FFmpeg.complete(address, nil) == address.description)
  }

  @Test func onlyWhatHasTimesIsAskedForThem() throws {
    let jpegs = FFmpeg.reading(try StreamAddress("http://h/video"), size: nil)
    #expect(!jpegs.contains { $0.contains("metadata") })
    let stream = FFmpeg.reading(try StreamAddress("rtsp://h/s"), size: nil)
    #expect(stream.contains { $0.hasPrefix("metadata=mode=add:key=k:value=v,metadata=") })
  }

  @Test func aFilmsNameIsNoOption() {
    let arguments = FFmpeg.reading(film: "-y", rate: 15)
    #expect(arguments.contains("file:-y") && !arguments.contains("-y"))
    #expect(
      FFmpeg.line(for: "/home/me/my.film.mp4")
        == "ffmpeg -i my.film.mp4 -c:v mjpeg -q:v 3 -f mjpeg my.film.mjpeg"
    )
    #expect(FFmpeg.line(for: "film") == "ffmpeg -i film -c:v mjpeg -q:v 3 -f mjpeg film.mjpeg")
  }

  @Test func aLoginIsAUserAndAPassword() throws {
    #expect(try login("u:").inAddress == "u:" && login("u:p:q").inAddress == "u:p%3Aq")
    for wrong in ["no colon", ":x", "u:" + String(repeating: "x", count: 126)] {
      let problem = #expect(throws: CameraProblem.self) { try login(wrong) }
      #expect(problem?.code == .passwordFile && problem?.description.contains(wrong) == false)
    }
  }
}

@Suite struct FFmpegComplaintTests {
  private let address = "rtsp://192.168.1.20:554/stream2"

  private func complaint(_ password: String) throws -> FFmpegComplaint {
    FFmpegComplaint(try StreamAddress(address), try CameraLogin("camera:" + password, in: "file"))
  }

  @Test(arguments: FFmpegTests.passwords.filter { !$0.isEmpty })
  func nothingSecretIsRepeated(_ password: String) throws {
    let complaint = try complaint(password)
    for secret in ["camera:" + password, "camera:" + CameraLogin.encoded(password)] {
      for line in [
        "[concat @ 0x55e9] Impossible to open 'rtsp://\(secret)@192.168.1.20:554/stream2'",
        "\(secret)", "Authorization: \(password)", "rtsp://\(secret)", "x\(secret)y",
      ] {
        let scrubbed = complaint.scrubbed(line)
        #expect(!scrubbed.contains(password) && !scrubbed.contains("camera"), "\(scrubbed)")
        #expect(!scrubbed.contains(CameraLogin.encoded(password)), "\(scrubbed)")
      }
    }
  }

  @Test func whatIsNotSecretStays() throws {
    #expect(try complaint("secret").scrubbed("[h264 @ 0x1] no frame!") == "[h264 @ 0x1] no frame!")
  }

  /// What ffmpeg 5.1 printed.
  @Test(arguments: [
    (
      [
        "[rtsp @ 0x5637] method DESCRIBE failed: 401 Unauthorized",
        "[concat @ 0x5637] Impossible to open 'rtsp://camera:secret@192.168.1.20:554/stream2'",
        "pipe:0: Server returned 401 Unauthorized (authorization failed)",
      ], CameraProblem.Code.wrongPassword
    ),
    (["pipe:0: Server returned 404 Not Found"], .noSuchStream),
    (["[tcp @ 0x1] Connection to tcp://h failed: Connection refused"], .unreachable),
    (
      [
        "[tcp @ 0x557] Failed to resolve hostname cam.local: Name or service not known",
        "pipe:0: Input/output error",
      ], .unreachable
    ),
    (["pipe:0: Connection timed out"], .unreachable),
    (["pipe:0: Invalid data found when processing input"], .noSuchStream),
    (["Unrecognized option 'fps_mode'."], .needsProgram),
  ])
  func knownComplaintsAreInPlainWords(_ lines: [String], _ code: CameraProblem.Code) throws {
    let problem = try #require(try complaint("secret").problem(lines))
    #expect(problem.code == code && problem.path == address)
    #expect(!"\(problem)".contains("secret") && !"\(problem)".contains("ffmpeg says"))
  }

  @Test func othersAreNot() throws {
    #expect(try complaint("secret").problem([]) == nil)
    #expect(try complaint("secret").problem(["something else"]) == nil)
  }
}
