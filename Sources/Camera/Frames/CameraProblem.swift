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
    /// A program that it needs isn't installed.
    case needsProgram = "needs-program"
    /// The program that gives the frames has ended.
    case programEnded = "program-ended"
    /// Nothing answers at its address.
    case unreachable
    /// The camera wants another user or password.
    case wrongPassword = "wrong-password"
    /// The file with the password can't be used.
    case passwordFile = "password-file"
    /// The camera knows no such stream.
    case noSuchStream = "no-such-stream"
    /// Its pictures come too late to tell where a player is.
    case late
    /// It is connected, and no new picture comes.
    case frozen
  }

  package let code: Code
  /// The path of the device or file.
  package let path: String
  /// What happened, without an end mark.
  package let cause: String
  /// What to do about it, if that isn't what all of its code need.
  private let remedy: String?

  package init(_ code: Code, _ path: String, _ cause: String, remedy: String? = nil) {
    self.code = code
    self.path = path
    self.cause = cause
    self.remedy = remedy
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

  private var advice: String {
    if let remedy { return remedy }
    return switch code {
    case .missing: "connect the camera, or choose another one"
    case .denied: "add this user to the group that owns it, usually video"
    case .busy: "end the other program that uses it"
    case .notACamera: "choose another device"
    case .needsLibcamera: "write what runs it into camera.yaml: \(Self.moduleCommand)"
    case .formatRefused: "choose a size that it offers"
    case .needsDecoder: "let ffmpeg read it, in camera.yaml"
    case .streamFailed: "open it again; if that fails too, unplug the camera and connect it again"
    case .gone: "connect the camera again"
    case .badFile: "choose another file"
    case .needsProgram: "install it, or write its whole path"
    case .programEnded: "run the same line by hand; it is started again"
    case .unreachable: "check the address, the camera's power and the network"
    case .wrongPassword: "write USER:PASSWORD, as the camera has them, into camera.password-file"
    case .passwordFile: "write USER:PASSWORD into it, one line"
    case .noSuchStream: "look for the stream's address in the camera's manual"
    case .late: "a smaller stream, a cable instead of radio, or fewer viewers"
    case .frozen: "look at what sends them; it is started again"
    }
  }

  /// What runs a camera module of a Raspberry Pi.
  private static let moduleCommand =
    "camera.command: [rpicam-vid, --timeout, \"0\", --width, \"1280\", --height, \"720\", "
    + "--framerate, \"15\", --codec, mjpeg, --output, \"-\"]"

  package var description: String { "\(path): \(cause); \(advice)" }
}
