import BlueZ
import Host
import MachineLink

/// Hands everything on to BlueZ, and counts what goes by.
final class WatchedCentral: MachineCentral {
  struct Traffic: Hashable {
    /// States that BlueZ's signals have made for the link.
    var levels = 0
    var begun = 0
    var finished = 0
    /// Operations under way that take no time on a radio.
    var prompt = 0
    /// How often the bus was asked to start bluetoothd.
    var serviceStarts = 0
  }

  let levels: AsyncStream<BlueZState>
  var notifications: AsyncStream<(bytes: [UInt8], receipt: UInt64)> { central.notifications }
  var unownedExecutor: UnownedSerialExecutor { central.unownedExecutor }
  private let central: BlueZCentral
  private let continuation: AsyncStream<BlueZState>.Continuation
  private let counts = Locked(Traffic())

  init(_ central: BlueZCentral) {
    self.central = central
    (levels, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var traffic: Traffic { counts.withLock { $0 } }

  func run() async {
    async let run: Void = central.run()
    for await state in central.levels {
      counts.withLock { $0.levels += 1 }
      continuation.yield(state)
    }
    continuation.finish()
    await run
  }

  func perform(_ operation: LinkOperation) async -> OperationAnswer {
    let prompt =
      switch operation {
      case .openBus, .observe: 1
      default: 0
      }
    counts.withLock {
      $0.begun += 1
      $0.prompt += prompt
      if operation == .startService { $0.serviceStarts += 1 }
    }
    defer {
      counts.withLock {
        $0.finished += 1
        $0.prompt -= prompt
      }
    }
    return await central.perform(operation)
  }

  /// How many signals came in on the link's connection to the bus.
  func signalsReceived() async -> UInt64 { await central.signalsReceived }

  func close() async { await central.close() }
}
