package import Configuration
package import ControlProtocol
package import Host
import Safety

/// The service's two sockets: `control.sock`, where programs ask and command in JSON-RPC 2.0, and
/// `stop.sock`, where every user can stop the machine and do nothing more.
///
/// ```
///  control.sock ─▶ ControlLoop ─┬─ requests ─▶ tasks ─┐
///                   (a thread)  └─ stops ────▶ tasks ─┼─▶ ControlledService
///  stop.sock ────▶ StopLoop ────── stops ────▶ tasks ─┘         │
///                  ControlMailbox ◀── answers, events ───────────┘
/// ```
///
/// The sockets are open from ``init``, so that a client that comes early waits rather than fails.
/// ``run()`` serves until its task is cancelled. Memory is bounded, for each client and for all
/// together, and no client blocks a thread of Swift's pool.
package final class ControlServer: Sendable {
  /// Every user may connect; the role decides what a client may do.
  private static let mode: UInt32 = 0o666

  /// The clients of both sockets that may be connected at once, each with an open file.
  package static let mostClients = StopLoop.clientLimit + ControlPlaces.connections

  private let service: any ControlledService
  private let access: ControlSettings
  private let texts: ControlTexts
  private let clock: SystemClock
  private let reload: (@Sendable (Bool) async throws(ControlError) -> ReloadRecord)?
  private let training: (any TrainingLibrary)?
  private let adopt: Adopting?
  private let identify: @Sendable (FileDescriptor) -> ControlIdentity
  private let listener: KeptListener
  private let stopListener: KeptListener
  /// At the abstract name.
  private let stopTwin: ListeningSocket?
  private let stopLoop: StopLoop
  private let claims: AsyncStream<MachineClaim>?
  private let mailbox: ControlMailbox

  /// Opens the sockets.
  ///
  /// - Parameters:
  ///   - directory: where the sockets are to be.
  ///   - access: which groups may do what.
  ///   - executor: serves the sockets.
  ///   - identify: the identity of the client at the other end of a socket; nil: by its groups.
  ///   - version: of the program.
  ///   - clock: the service's.
  ///   - configuration: which one is in force, asked for each status.
  ///   - reload: reads the configuration again, as ``ControlRequest/reload(empty:)`` says; nil where there is none.
  ///   - training: has the drills; nil where there are none.
  ///   - adopt: makes a device our machine; nil where none can be.
  ///   - claims: those of the machines that the service writes to; they take stops.
  package init(
    in directory: RuntimeDirectory,
    service: any ControlledService,
    access: ControlSettings = ControlSettings(),
    executor: LoopExecutor = .ofProgram(),
    identify: (@Sendable (FileDescriptor) -> ControlIdentity)? = nil,
    version: String,
    clock: SystemClock,
    configuration: @escaping @Sendable () -> StatusRecord.Configuration? = { nil },
    reload: (@Sendable (Bool) async throws(ControlError) -> ReloadRecord)? = nil,
    training: (any TrainingLibrary)? = nil,
    adopt: Adopting? = nil,
    claims: AsyncStream<MachineClaim>? = nil
  ) throws {
    let roles = GroupRoles(access)
    self.identify = identify ?? { roles.identity(of: PeerCredentials(of: $0)) }
    self.service = service
    self.access = access
    self.clock = clock
    self.reload = reload
    self.training = training
    self.adopt = adopt
    self.claims = claims
    texts = ControlTexts(version: version, clock: clock, configuration: configuration)
    mailbox = try ControlMailbox()
    listener = try KeptListener(
      path: directory.path(of: ControlSockets.control),
      mode: Self.mode
    )
    let stopPath = directory.path(of: ControlSockets.stop)
    stopListener = try KeptListener(path: stopPath, mode: Self.mode)
    // No user can remove it. If another process has the name, the service works without it.
    stopTwin = try? ListeningSocket(abstract: stopPath)
    stopLoop = try StopLoop(
      executor: executor,
      actions: StopLoop.Actions(service, clock: clock),
      stopCame: { [mailbox] in mailbox.stopCame() }
    )
    listener.onRenewal { [mailbox] _ in mailbox.listenerChanged() }
    stopListener.onRenewal { [stopLoop] listener in
      OneThread.task { await stopLoop.listen(at: listener) }
    }
  }

  /// Both listening sockets, for the keeper that makes their files again.
  package var kept: [KeptListener] { [listener, stopListener] }

  /// Serves until the task is cancelled. Once only.
  ///
  /// It doesn't wait for requests under way: they may take long, and the end must not.
  package func run() async throws {
    let orders = ControlOrders()
    try await withThrowingTaskGroup { group in
      group.addTask { [stopLoop, stopListener, stopTwin, claims] in
        await stopLoop.listen(at: stopListener.socket)
        if let stopTwin { await stopLoop.listen(at: stopTwin) }
        await stopLoop.run(claims)
      }
      group.addTask { [self] in try await serveControl(orders) }
      group.addTask { [self] in await followPlayer(while: orders.following.stream) }
      group.addTask { [self] in
        for await event in await service.subscribe(backlog: nil) {
          mailbox.post(event, at: clock.now)
        }
      }
      // Stops have tasks of their own, which overtake all others.
      group.addTask(priority: .urgent) { [service] in
        for await _ in orders.unreportedStops.stream { await service.beginStop() }
      }
      // The service looks at its client before every ball: this need not overtake a stop.
      group.addTask(priority: .medium) { [service] in
        for await _ in orders.clientsGone.stream { await service.clientGone() }
      }
      for (calls, priority) in [(orders.stops, TaskPriority.urgent), (orders.requests, .medium)] {
        group.addTask(priority: priority) { [self] in
          await Self.forEach(calls.stream) { [self] call in
            let answer: ControlAnswer
            do throws(ControlError) {
              answer = try await call.request.answer(
                by: service,
                for: call.client,
                mark: call.mark,
                reload: reload,
                training: training,
                adopt: adopt
              )
            } catch {
              answer = .failed(error)
            }
            mailbox.post(answer, to: call)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func serveControl(_ orders: ControlOrders) async throws {
    try await WaitingThread.run { [self] interruption in
      var loop = ControlLoop(
        listener: listener,
        mailbox: mailbox,
        access: access,
        identify: identify,
        texts: texts,
        clock: clock,
        orders: orders
      )
      try loop.run(until: interruption)
    }
  }

  /// Nothing is taken from the service while no client wants the player's positions.
  private func followPlayer(while wishes: AsyncStream<Bool>) async {
    var task: Task<Void, Never>?
    for await isWanted in wishes {
      task?.cancel()
      guard isWanted else { continue }
      task = OneThread.task { [service, mailbox] in
        for await event in await service.followPlayer() {
          if case .record = event { mailbox.post(player: event) }
        }
      }
    }
    task?.cancel()
  }

  /// Starts a task for each element and returns when the stream ends, without waiting for the
  /// tasks. The senders bound their number.
  private static func forEach<Element: Sendable>(
    _ elements: AsyncStream<Element>,
    _ body: @escaping @Sendable (Element) async -> Void
  ) async {
    for await element in elements { OneThread.task { await body(element) } }
  }
}
