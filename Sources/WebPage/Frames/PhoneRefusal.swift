/// Why a phone isn't the camera, or not any more.
struct PhoneRefusal: Error, Hashable {
  /// For programs: the camera's program has its own.
  let code: String
  let reason: String

  /// This program has been restarted, or the phone's camera has ended.
  static let notCamera = PhoneRefusal(code: "notCamera", reason: "this phone is not the camera")
  /// The same phone has begun again, or another one was silent for so long that this one took over.
  static let replaced = PhoneRefusal(
    code: "replaced",
    reason: "another page, or another phone, is the camera now"
  )
  static let busy = PhoneRefusal(code: "busy", reason: "another phone asks just now: try again")
  static let silent = PhoneRefusal(
    code: "cameraSilent",
    reason: "the camera's program does not answer"
  )
  static let lost = PhoneRefusal(
    code: "cameraLost",
    reason: "the camera's program has ended the connection"
  )

  static func unreachable(_ path: String, _ error: any Error) -> PhoneRefusal {
    PhoneRefusal(
      code: "noCameraProgram",
      reason: "the camera's program takes no pictures (\(path)): \(error)"
    )
  }
}
