import Bridge
import ControlProtocol
import CourtLogic
import CourtMapping
import Host
import Positions
import Programs
import RunLog
import Service

/// The sockets of a simulation, in a directory where no bridge is. Its clients ask for a simulation.
struct SimulationSockets {
  let control: ControlServer
  /// `nil`: positions come from elsewhere.
  let feed: PositionFeed?
  /// What `sessions --simulate' shows.
  let log: RunLog
  /// One simulation of a user has the sockets.
  private let lock: MachineLock

  /// - Parameters:
  ///   - calibration: for the picture points that come to them.
  ///   - decisions: what the log begins with.
  ///   - reload: reads the calibration again; as ``Reloading/perform(empty:)``.
  /// - Returns: nil, after a warning, where there is no place for them; the simulation does without.
  init?(
    for service: BridgeService,
    takesPositions: Bool,
    calibration: Calibration?,
    decisions: LogicManager.Settings,
    reload:
      @escaping @Sendable (Locked<Calibration?>, RunLog, Bool) async throws(ControlError) ->
      ReloadRecord,
    training: any TrainingLibrary,
    clock: SystemClock
  ) {
    do {
      let directory = try RuntimeDirectory.ofSimulation(isMade: true)
      lock = try MachineLock(in: directory)
      // Only the lock's holder writes logs.
      let log = RunLog(
        ofSimulationIn: LogDirectory(path: directory.path(of: LogDirectory.name)),
        program: "ballmachine \(Version.number)",
        clock: clock,
        warn: { Output.complain("ballmachine simulate: warning: \($0)") }
      )
      log.record(decisions)
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
          { @Sendable empty async throws(ControlError) in
            try await reload(feed.calibration, log, empty)
          }
        },
        training: training
      )
      self.feed = feed
      self.log = log
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
