import Glibc
import Host

/// Why a camera or a file gives no frames, and what to do about it.
package struct CameraProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// There is no such device.
    case missing
    /// This user may not open the device.
    case denied
    /// Another program uses it.
    case busy
    /// It is no device that captures pictures.
    case notACamera = "not-a-camera"
    /// It is a camera module, such as a Raspberry Pi's, whose pictures other software must develop.
    case needsLibcamera = "needs-libcamera"
    /// It doesn't offer what was asked for, or promised another format than it gives.
    case formatRefused = "format-refused"
    /// It gives only a video that ffmpeg must decode.
    case needsDecoder = "needs-decoder"
    /// The driver reported an error while streaming.
    case streamFailed = "stream-failed"
    /// It was there and has been unplugged.
    case gone
    /// A file that isn't there, can't be read, or has no frames in it.
    case badFile = "bad-file"
  }

  package let code: Code
  /// The path of the device or file.
  package let path: String
  /// What happened, without an end mark.
  package let cause: String

  /// What to do about it, without an end mark.
  private let advice: String

  /// - Parameter advice: by default, the code's.
  init(_ code: Code, _ path: String, _ cause: String, advice: String? = nil) {
    self.code = code
    self.path = path
    self.cause = cause
    self.advice = advice ?? code.advice
  }

  /// - Parameter isOpen: whether the device was there before.
  init(_ error: SystemError, _ path: String, isOpen: Bool) {
    let code: Code =
      switch error.code {
      case ENOENT, ENXIO, ENODEV: isOpen ? .gone : .missing
      case EACCES, EPERM: .denied
      case EBUSY: .busy
      case ENOTTY: .notACamera
      case _: .streamFailed
      }
    self.init(code, path, error.description)
  }

  /// This box has no camera.
  package static var none: CameraProblem {
    CameraProblem(.missing, "/dev/video*", "there is no camera")
  }

  package static func silent(_ path: String) -> CameraProblem {
    CameraProblem(.streamFailed, path, "it sends no frames")
  }

  package var description: String { "\(path): \(cause); \(advice)" }
}

extension CameraProblem.Code {
  fileprivate var advice: String {
    switch self {
    case .missing: "connect the camera, or choose another one"
    case .denied: "add this user to the group that owns it, usually video"
    case .busy: "end the other program that uses it"
    case .notACamera: "choose another device"
    case .needsLibcamera: "use a camera at USB"
    case .formatRefused: "choose a size that it offers"
    case .needsDecoder: "let ffmpeg read it, in camera.yaml"
    case .streamFailed: "open it again; if that fails too, unplug the camera and connect it again"
    case .gone: "connect the camera again"
    case .badFile: "choose another file"
    }
  }
}
