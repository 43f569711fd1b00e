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
  /// Nil: what suits the finding best.
  package var size: PictureSize?
  /// Frames a second that are worked on.
  package var rate = 15
  package var calibration = standardCalibration
  package var feed = "/run/ballmachine/positions.sock"
  package var allowsSecondPerson = false
  package var reach = FinderRules().reach

  package init() {}

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
            How far beside the singles court and behind the baseline a player plays. Nobody is taken for \
            the player farther out, as on the next court, but one who has just come from there.
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
