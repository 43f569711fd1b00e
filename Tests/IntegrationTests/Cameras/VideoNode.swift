import CVideo
import Camera
import CourtMapping
import Glibc
import Host

/// A video device as the tests use it: they feed it, or tell it to fail.
final class VideoNode {
  private let descriptor: FileDescriptor

  struct NoSuchControl: Error {
    let name: String
  }

  init(_ path: String) throws {
    let number = open(path, O_RDWR | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open \(path)") }
    descriptor = FileDescriptor(owning: number)
  }

  /// Sets a control by its name, such as vivid's “Disconnect”.
  static func set(_ name: String, to value: Int32 = 1, of path: String) throws {
    let node = try VideoNode(path)
    let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    var query = v4l2_queryctrl()
    query.id = next
    while video_query_control(node.descriptor.number, &query) == 0 {
      let found = withUnsafeBytes(of: query.name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if found == name {
        var control = v4l2_control(id: query.id, value: value)
        guard video_set_control(node.descriptor.number, &control) == 0 else {
          throw SystemError("set \(name)")
        }
        return
      }
      query.id |= next
    }
    throw NoSuchControl(name: name)
  }

  /// Makes this the feeder of a v4l2loopback device.
  func feed(_ format: PixelFormat, _ size: PictureSize) throws {
    var wish = v4l2_format()
    wish.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    wish.fmt.pix.width = UInt32(size.width)
    wish.fmt.pix.height = UInt32(size.height)
    wish.fmt.pix.pixelformat = format.code
    wish.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    guard video_set_format(descriptor.number, &wish) == 0 else { throw SystemError("feed it") }
  }

  func write(_ frame: [UInt8]) throws {
    guard Glibc.write(descriptor.number, frame, frame.count) == frame.count else {
      throw SystemError("write a frame")
    }
  }
}
