package import BlueZ
package import Clocks
import Host
package import MachineLink
import Programs

/// The result of scanning for the machine and connecting to it, once. Nothing was written to it.
package struct ConnectionTrial: Hashable, Sendable {
  /// The machine as the scan heard it; nil if it didn't.
  package var heard: SeenDevice?
  /// What kept the scan from hearing it or the link from being made; nil if nothing did.
  package var fault: LinkFault?
  /// BlueZ's state while the link was there.
  package var levels = BlueZState()
}

extension ConnectionTrial {
  /// Scans until it hears the machine, connects like a bridge, reads BlueZ's state, disconnects.
  ///
  /// The caller has the right to the machine. Cancelled, it still leaves the machine free.
  ///
  /// - Parameter central: makes a way to BlueZ: for the scan, for the link, for BlueZ's state.
  package init(
    configuration: LinkConfiguration,
    clock: any MonotonicClock = SystemClock(),
    through central: @Sendable () -> any MachineCentral
  ) async {
    self.init()
    do throws(LinkFault) {
      heard = try await Self.listen(configuration, clock, central())
      guard heard != nil else { throw .machineNotSeen }
      levels = try await Self.connect(configuration, clock, central(), look: central)
    } catch {
      fault = error
    }
  }

  /// The failures in a row after which the trial ends; a bridge would soon try harder than a
  /// diagnosis should.
  private static let mostFailures = 2

  private static func listen(
    _ configuration: LinkConfiguration,
    _ clock: any MonotonicClock,
    _ central: any MachineCentral
  ) async throws(LinkFault) -> SeenDevice? {
    let scanner = MachineScanner(central: central, configuration: configuration, clock: clock)
    let (devices, continuation) = AsyncStream.makeStream(of: SeenDevice.self)
    let result = await withTaskGroup(of: Result<SeenDevice?, LinkFault>.self) { group in
      group.addTask {
        defer { continuation.finish() }
        do throws(LinkFault) {
          try await scanner.scan(for: configuration.timing.scan) { continuation.yield($0) }
          return .success(nil)
        } catch {
          return .failure(error)
        }
      }
      for await device in devices
      where (device.rssi != nil || !device.connected) && configuration.means(device) {
        group.cancelAll()
        await group.waitForAll()
        return Result<SeenDevice?, LinkFault>.success(device)
      }
      return await group.next() ?? .success(nil)
    }
    return try result.get()
  }

  private static func connect(
    _ configuration: LinkConfiguration,
    _ clock: any MonotonicClock,
    _ central: any MachineCentral,
    look: @Sendable () -> any MachineCentral
  ) async throws(LinkFault) -> BlueZState {
    let link = BallMachineLink(configuration: configuration, central: central, clock: clock)
    let result = await withTaskGroup(of: Void.self) { group -> Result<BlueZState, LinkFault> in
      group.addTask { await link.run() }
      var result = Result<BlueZState, LinkFault>.failure(.connectTimedOut)
      for await status in await link.statuses() {
        if status.phase == .ready {
          let diagnosis = await Diagnosis(
            through: look(),
            configuration: configuration,
            holder: nil,
            clock: clock
          )
          result = .success(diagnosis.levels)
          break
        }
        if let fault = status.fault {
          result = .failure(fault)
          if fault.isFinal || status.failures >= mostFailures { break }
        }
      }
      await link.end()
      return result
    }
    return try result.get()
  }

  /// What the trial means.
  var findings: [Finding] {
    guard let heard else {
      let fault = fault ?? .machineNotSeen
      return [.problem(fault == .machineNotSeen ? .signalNotHeard : .signalFailed, fault)]
    }
    let label = (heard.name.map { "\($0) " } ?? "") + heard.address
    let signal = heard.rssi.map { " at \($0) dBm" } ?? ""
    return [.ok(.signalHeard, "\(label) is heard\(signal)")] + connection
  }

  private var connection: [Finding] {
    let made = Finding.ok(.connectionMade, "a connection was made, and ended again")
    return switch fault {
    case nil: [made]
    case .noUsableCharacteristic(let found)?:
      [made, .problem(.servicesUnknown, .noUsableCharacteristic(found))]
    case .ambiguousCharacteristics(let found)?:
      [made, .problem(.servicesAmbiguous, .ambiguousCharacteristics(found))]
    case let fault?: [.problem(.connectionFailed, fault)]
    }
  }
}

extension LinkConfiguration {
  /// Whether a device that a scan has heard may be our machine; the link decides whether it is.
  fileprivate func means(_ device: SeenDevice) -> Bool {
    if let address { return device.address == address.description }
    if let name { return device.name == name }
    return device.standing == .certain
      || remembered.contains { $0.address.description == device.address }
  }
}

extension LinkFault {
  /// Whether another try would fail in the same way.
  fileprivate var isFinal: Bool {
    switch self {
    case .noUsableCharacteristic, .ambiguousCharacteristics, .needsAdoption, .ambiguousMachines,
      .onlyPerhaps, .onlyOtherMachines, .otherMachinesSeen:
      true
    default: isRefusal
    }
  }
}
