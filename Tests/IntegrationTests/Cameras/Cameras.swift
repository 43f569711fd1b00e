import Foundation
import TestSupport
import Testing

/// The cameras of the machine that tools/test --camera boots, see tools/real-stack/guest/cameras.
enum Cameras {
  static let areHere = ProcessInfo.processInfo.environment["BALLMACHINE_CAMERAS"] == "1"

  /// v4l2loopback: shows what is written to it.
  static let fed = "/dev/video10"
  /// vivid, the kernel's test camera: can be told to fail.
  static let test = "/dev/video20"
  /// vivid with the interface for frames in several pieces of memory.
  static let planar = "/dev/video21"
}

/// What happens to cameras, with the kernel's real Video4Linux.
@Suite(
  .enabled(if: Cameras.areHere, "there are cameras in the machine of tools/test --camera only"),
  .serialized,
  .mustEnd
)
struct CameraStories {}
