import Host

/// A video device of this box, as far as it may be seen.
package struct ListedCamera: Hashable, Sendable {
  package let path: String
  package let name: String
  package let driver: String
  package let modes: [CaptureMode]

  /// Why its pictures can't be used, where the remedy is known.
  package var problem: CameraProblem? { modes.problem(of: name, at: path) }

  /// All devices that capture, and those that can't be opened, by number. Disturbs none: a camera
  /// that another program uses stays in use.
  package static func all() -> [Result<ListedCamera, CameraProblem>] {
    let names = (try? Directory.names(in: "/dev")) ?? []
    let numbers = names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }
    return numbers.sorted().compactMap { look(at: "/dev/video\($0)") }
  }

  /// - Returns: nil if the device is one of those that cameras have beside the one for pictures.
  private static func look(at path: String) -> Result<ListedCamera, CameraProblem>? {
    do throws(SystemError) {
      let device = try VideoDevice(path)
      let identity = try device.identity()
      guard identity.captures else { return nil }
      if let problem = identity.problem(at: path) { return .failure(problem) }
      return .success(
        ListedCamera(
          path: path,
          name: identity.name,
          driver: identity.driver,
          modes: device.modes()
        )
      )
    } catch {
      return .failure(CameraProblem(error, path, isOpen: false))
    }
  }
}

extension VideoDevice {
  /// All that it offers.
  func modes() -> [CaptureMode] {
    formats().flatMap { format in
      sizes(of: format, common: [CaptureMode].commonSizes).map {
        CaptureMode(pixelFormat: format, size: $0, rates: rates(of: format, $0))
      }
    }
  }
}
