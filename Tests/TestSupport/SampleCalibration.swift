/// A camera's calibration as a file: 3 m high, 8 m behind the player's baseline.
package enum SampleCalibration {
  package static let points = """
    points:
      net-left: [452.7, 302.4]
      net-right: [827.3, 302.4]
      singles-left-service: [368, 365.6]
      centre-service: [640, 365.6]
      singles-right-service: [912, 365.6]
      baseline-left: [195.8, 494]
      baseline-centre: [640, 494]
      baseline-right: [1084.2, 494]

    """
  package static let sentence =
    "3.0 m high, 8.0 m behind the player's baseline, looking at the net"
  package static let picture = "picture:\n  size: [1280, 720]\n"
  /// A person has confirmed it.
  package static let file = picture + points + "made:\n  confirmed: \"\(sentence)\"\n"
}
