import Calibrations
package import CourtMapping
package import YAML

/// What a person sets of the camera: `camera.yaml`. A new one has the defaults.
package struct CameraSettings: YAMLDocument {
  /// Where an installed camera has its configuration.
  package static let standardPath = "/etc/ballmachine-camera/camera.yaml"
  /// Where an installed camera keeps its calibration.
  package static let standardCalibration = "/var/lib/ballmachine-camera/court.yaml"

  /// Nil: the first one that captures.
  package var device: String?
  /// The address of a camera at the network.
  package var source: StreamAddress?
  package var passwordFile: String?
  /// What writes frames to its standard output.
  package var command: [String]?
  /// Nil: what suits the finding best.
  package var size: PictureSize?
  /// Frames a second that are worked on.
  package var rate = 15
  package var calibration = standardCalibration
  package var feed = "/run/ballmachine/positions.sock"
  package var allowsSecondPerson = false
  package var reach = FinderRules().reach

  package init() {}

  /// What must hold between the keys; nil: it does.
  package var problem: String? {
    let given = [
      device == nil ? nil : "camera.device", source == nil ? nil : "camera.source",
      command == nil ? nil : "camera.command",
    ].compactMap(\.self)
    if given.count > 1 {
      return "\(given.joined(separator: " and ")): at most one of device, source and command can "
        + "be the camera"
    }
    if passwordFile != nil, source == nil {
      return "camera.password-file needs camera.source: the password is that camera's"
    }
    return nil
  }

  package static let schema = YAMLSchema<Self>(
    of: "a camera's configuration",
    typicalKey: "camera",
    [
      YAMLSection(
        "camera",
        "Which camera, and how it captures",
        effect: .afterRestart,
        keys: [
          .value(
            "device",
            .path("the path of a video device"),
            \.device,
            example: "/dev/v4l/by-id/usb-046d_C270-video-index0",
            """
            The camera. The names in /dev/v4l/by-id stay the same when others are plugged in. \
            Without it: the first device that captures.
            """
          ),
          .value(
            "source",
            .address,
            \.source,
            example: "rtsp://192.168.1.20:554/stream2",
            """
            The address of a camera at the network, instead of a device: rtsp, or http for MJPEG. \
            The user and the password stand in password-file, not here. Its smaller stream is \
            enough. It needs ffmpeg.
            """
          ),
          .value(
            "password-file",
            .path("the path of a file"),
            \.passwordFile,
            example: "password",
            """
            The file with USER:PASSWORD of the camera at the network, one line. No other user may \
            read it: mode 0600.
            """
          ),
          .value(
            "command",
            .command,
            \.command,
            example: "[rpicam-vid, --timeout, \"0\", --codec, mjpeg, --output, \"-\"]",
            """
            A program and its arguments, instead of a device: it writes MJPEG, multipart MJPEG or \
            Y4M to its standard output. It is started again when it ends.
            """
          ),
          .value(
            "size",
            .size,
            \.size,
            example: "[1280, 720]",
            """
            Width and height of its picture, in pixels; a calibration is for one shape. Without \
            it: near 640 × 360 without compression, else 1280 × 720 in JPEG.
            """
          ),
          .value(
            "rate",
            .integer("a whole number of frames a second", in: 5...60),
            \.rate,
            "Frames a second in which the player is searched. The processor's time grows with it."
          ),
        ]
      ),
      YAMLSection(
        "court",
        "Where the camera sees the court",
        effect: .afterRestart,
        keys: [
          .value(
            "calibration",
            .path("the path of a calibration"),
            \.calibration,
            """
            The calibration, which `ballmachine camera calibrate` writes. The bridge's \
            court.calibration should name the same file.
            """
          ),
          .value(
            "second-person",
            .flag,
            \.allowsSecondPerson,
            """
            Whether positions are sent while a second person is inside the player's lines. The \
            camera can't tell who the player is: the balls may follow the other one.
            """
          ),
          .value(
            "reach",
            .reach,
            \.reach,
            """
            How far beside the singles court and behind the baseline a player plays. A person farther \
            out, as on the next court, is the player only when followed from inside.
            """
          ),
        ]
      ),
      YAMLSection(
        "feed",
        "Where positions go",
        effect: .afterRestart,
        keys: [
          .value(
            "socket",
            .path("the path of a socket"),
            \.feed,
            "The bridge's socket for positions."
          )
        ]
      ),
    ]
  )
}

extension YAMLKind where Value == [String] {
  fileprivate static var command: YAMLKind {
    YAMLKind<String>.text("a word of a command", longest: 4095).list(
      "a program and its arguments, 1 to 64 words",
      count: 1...64,
      to: { (words) throws(YAMLListProblem) in words },
      from: { $0 }
    )
  }
}

extension YAMLKind where Value == StreamAddress {
  fileprivate static var address: YAMLKind {
    YAMLKind(StreamAddress.form, yaml: { $0.description.asYAML }) {
      (node, _) throws(YAMLProblem) in
      // No message repeats it: it may hold a password.
      guard let text = node.text else { throw node.isNot(StreamAddress.form) }
      do throws(StreamAddress.Refusal) { return try StreamAddress(text) } catch {
        throw YAMLProblem(mark: node.mark, text: error.description)
      }
    }
  }
}

extension YAMLKind where Value == FinderRules.Reach {
  fileprivate static var reach: YAMLKind {
    YAMLKind<Double>.number("a number of metres", unit: "m", in: 0...8).list(
      "[ASIDE, BEHIND], two numbers of metres",
      count: 2...2,
      to: { FinderRules.Reach(aside: $0[0], behind: $0[1]) },
      from: { [$0.aside, $0.behind] }
    )
  }
}
