import Bridge
import ControlProtocol
import CourtMapping
import Host
import Positions
import Programs
import Service

/// The sockets of a simulation, in a directory where no bridge is. Its clients ask for a simulation.
struct SimulationSockets {
  let control: ControlServer
  /// `nil`: positions come from elsewhere.
  let feed: PositionFeed?
  /// One simulation of a user has the sockets.
  private let lock: MachineLock

  /// - Parameters:
  ///   - calibration: for the picture points that come to them.
  ///   - reload: reads that again; as ``Reloading/perform(empty:)``.
  /// - Returns: nil, after a warning, where there is no place for them; the simulation does without.
  init?(
    for service: BridgeService,
    takesPositions: Bool,
    calibration: Calibration?,
    reload:
      @escaping @Sendable (Locked<Calibration?>, Bool) async throws(ControlError) ->
      ReloadRecord,
    training: any TrainingLibrary,
    clock: SystemClock
  ) {
    do {
      let directory = try RuntimeDirectory.ofSimulation(isMade: true)
      lock = try MachineLock(in: directory)
      let source = PositionSource.socket(directory.path(of: ServeProcess.positionSocketName))
      let feed =
        takesPositions
        ? try PositionFeed(source: source, clock: clock, calibration: calibration) : nil
      control = try ControlServer(
        in: directory,
        service: service,
        version: Version.number,
        clock: clock,
        reload: feed.map { feed in
          { @Sendable empty async throws(ControlError) in try await reload(feed.calibration, empty)
          }
        },
        training: training
      )
      self.feed = feed
    } catch {
      var reason = "\(error)"
      if case MachineLockError.held(let holder) = error {
        reason = "it reaches another one\(holder.map { ", process \($0)" } ?? "")"
      }
      Output.complain(
        "ballmachine simulate: warning: --simulate does not reach this simulation: \(reason)"
      )
      return nil
    }
  }
}

extension AsyncStream<PositionEvent> {
  /// The positions of a walk until a feeder's first position comes, and all events of the feed.
  static func walk(
    _ walk: some AsyncSequence<PositionEvent, Never> & Sendable,
    until feed: PositionFeed?
  ) -> AsyncStream {
    // As many events wait as a feeder's positions may.
    AsyncStream(bufferingPolicy: .bufferingNewest(512)) { continuation in
      let walking = OneThread.task { for await event in walk { continuation.yield(event) } }
      let following = OneThread.task {
        guard let feed else { return }
        for await event in feed.events {
          if case .position = event { walking.cancel() }
          continuation.yield(event)
        }
      }
      continuation.onTermination = { _ in
        walking.cancel()
        following.cancel()
      }
    }
  }
}
