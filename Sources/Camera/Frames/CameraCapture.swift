package import Clocks
package import CourtMapping
import Glibc
package import Host

/// A camera that is open: frames of one format, the newest first.
///
/// Not to be shared: it belongs to the actor whose executor watches ``descriptor``.
package final class CameraCapture: FrameSource {
  package let path: String
  package let layout: FrameLayout
  package private(set) var counts = FrameCounts()
  package var hasEnded: Bool { false }
  package var descriptor: FileDescriptor { device.descriptor }

  package let offered: [PictureSize]

  private let device: VideoDevice
  private let buffers: MappedBuffers
  private let clock: any MonotonicClock
  private var times = FrameTimes()
  private var pace: FramePace
  private var lastSequence: UInt32?

  /// Opens the device and sets its format. It streams from ``start()`` until this object is gone.
  package init(
    _ path: String,
    _ request: CaptureRequest = CaptureRequest(),
    clock: any MonotonicClock
  ) throws(CameraProblem) {
    self.path = path
    self.clock = clock
    pace = FramePace(rate: request.rate)
    do throws(SystemError) {
      device = try VideoDevice(path)
    } catch {
      throw CameraProblem(error, path, isOpen: false)
    }
    (layout, offered) = try Self.setFormat(of: device, path, request)
    device.setRate(request.capturedRate)
    do throws(SystemError) {
      buffers = try MappedBuffers(device, layout)
    } catch {
      throw CameraProblem(error, path, isOpen: true)
    }
  }

  private static func setFormat(
    of device: VideoDevice,
    _ path: String,
    _ request: CaptureRequest
  ) throws(CameraProblem) -> (FrameLayout, offered: [PictureSize]) {
    let identity: VideoIdentity
    do throws(SystemError) {
      identity = try device.identity()
    } catch {
      throw CameraProblem(.notACamera, path, error.description)
    }
    guard identity.captures else {
      throw CameraProblem(.notACamera, path, "\(identity.name) captures no pictures")
    }
    if let problem = identity.problem(at: path) { throw problem }
    let modes = device.modes()
    guard let mode = request.choose(of: modes) else {
      if let problem = modes.problem(of: identity.name, at: path) { throw problem }
      let wish = request.size.map { "\($0.width) × \($0.height) in " } ?? ""
      throw CameraProblem(
        .formatRefused,
        path,
        "\(identity.name) has no \(wish)\(PixelFormat.readableInWords), "
          + "it offers \(modes.inWords)"
      )
    }
    let chosen: VideoDevice.Chosen
    do throws(SystemError) {
      chosen = try device.setFormat(mode.pixelFormat, mode.size)
    } catch  where error.code == EINVAL {
      throw CameraProblem(.formatRefused, path, error.description)
    } catch {
      throw CameraProblem(error, path, isOpen: true)
    }
    guard
      chosen.pixelFormat == mode.pixelFormat,
      let size = PictureSize(width: chosen.width, height: chosen.height), size == mode.size,
      let layout = FrameLayout(
        chosen.pixelFormat,
        size,
        bytesPerRow: chosen.bytesPerRow[0],
        colourBytesPerRow: chosen.bytesPerRow.count > 1 ? chosen.bytesPerRow[1] : 0
      ),
      // Both kinds of colours have rows of the same length.
      Set(chosen.bytesPerRow.dropFirst()).count <= 1,
      [1, layout.samples?.planes.count].contains(chosen.bytesPerRow.count)
    else {
      throw CameraProblem(
        .formatRefused,
        path,
        "\(identity.name) offers \([mode].inWords), but gives "
          + "\(chosen.width) × \(chosen.height) \(chosen.pixelFormat)"
      )
    }
    let sizes = Set(modes.filter { FrameLayout($0.pixelFormat, $0.size) != nil }.map(\.size))
    return (layout, Array(sizes))
  }

  package func start() throws(CameraProblem) {
    do throws(SystemError) {
      try buffers.queueAll()
      try device.startStream()
    } catch {
      throw CameraProblem(error, path, isOpen: true)
    }
  }

  package func takeNewest() throws(CameraProblem) -> Frame? {
    let (filled, isEmpty) = try dequeueNewest()
    let now = clock.now
    guard let filled else {
      if isEmpty { times.foundEmpty(at: now) }
      return nil
    }
    switch times.judge(filled.stamp, now: now, isEmpty: isEmpty) {
    case .tooOld:
      counts.old += 1
    case .fresh(let time) where !pace.takes(time):
      counts.passedOver += 1
    case .fresh(let time):
      counts.taken += 1
      return Frame(
        layout: layout,
        bytes: buffers.bytes(of: filled),
        time: time,
        sequence: filled.sequence,
        giveBack: { [buffers] in buffers.giveBack(filled.buffer) }
      )
    }
    buffers.giveBack(filled.buffer)
    return nil
  }

  /// The newest good frame, and whether the driver has no more. Gives back all others.
  private func dequeueNewest() throws(CameraProblem) -> (VideoDevice.Filled?, isEmpty: Bool) {
    var newest: VideoDevice.Filled?
    // A driver that fills what it gets back at once must not keep the thread.
    for _ in 0...buffers.count {
      guard let filled = try dequeue() else { return (newest, true) }
      if filled.isDamaged {
        counts.damaged += 1
        buffers.giveBack(filled.buffer)
      } else {
        if let older = newest {
          counts.passedOver += 1
          buffers.giveBack(older.buffer)
        }
        newest = filled
      }
    }
    return (newest, false)
  }

  private func dequeue() throws(CameraProblem) -> VideoDevice.Filled? {
    let filled: VideoDevice.Filled?
    do throws(SystemError) {
      filled = try device.dequeue()
    } catch {
      throw CameraProblem(error, path, isOpen: true)
    }
    guard let filled else { return nil }
    guard buffers.has(filled.buffer) else {
      throw CameraProblem(.streamFailed, path, "the driver filled memory that it never gave")
    }
    if let lastSequence {
      // Numbers wrap; a driver that restarts its count has lost nothing that is known.
      let missing = filled.sequence &- lastSequence &- 1
      if missing < 1000 { counts.lost += Int(missing) }
    }
    lastSequence = filled.sequence
    return filled
  }
}
