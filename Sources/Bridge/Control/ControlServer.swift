package import CourtLogic
import FoundationEssentials

/// The service's two sockets: `control.sock`, where programs ask and command in JSON-RPC 2.0, and
/// `stop.sock`, where anybody stops the machine and nothing else can be asked.
///
/// ```
///  control.sock ─▶ ControlLoop ─┬─ requests ─▶ tasks ─┐
///                   (a thread)  └─ stops ────▶ tasks ─┼─▶ ControlledService
///  stop.sock ────▶ StopLoop ────── stops ────▶ tasks ─┘         │
///                   (a thread)                                   │
///                  ControlMailbox ◀── answers, events ───────────┘
/// ```
///
/// The sockets are open from ``init``, so that a client that comes early waits rather than fails.
/// ``run()`` serves until its task is cancelled. Whatever clients do, memory is bounded, for each
/// and in all, and no thread of Swift's waits for one of them.
package final class ControlServer: Sendable {
  package static let controlSocketName = "control.sock"
  package static let stopSocketName = "stop.sock"
  /// Anybody may connect: what somebody may do there, the role says.
  private static let mode: UInt32 = 0o666

  private let service: any ControlledService
  private let access: ControlSettings
  private let texts: ControlTexts
  private let clock: SystemClock
  private let reload: (@Sendable () async -> ReloadReply)?
  private let identify: @Sendable (FileDescriptor) -> ControlIdentity
  private let listeners: (control: ListeningSocket, stop: ListeningSocket)
  private let mailbox: ControlMailbox
  private let answers: StopAnswers

  /// Opens the sockets.
  ///
  /// - Parameters:
  ///   - directory: where the sockets are to be.
  ///   - access: which groups may do what.
  ///   - version: of the program.
  ///   - clock: the service's.
  ///   - configuration: which one is in force, asked for each status.
  ///   - reload: reads the configuration again; nil where there is none.
  package convenience init(
    in directory: RuntimeDirectory,
    service: any ControlledService,
    access: ControlSettings = ControlSettings(),
    version: String,
    clock: SystemClock,
    configuration: @escaping @Sendable () -> StatusRecord.Configuration? = { nil },
    reload: (@Sendable () async -> ReloadReply)? = nil
  ) throws {
    let roles = GroupRoles(access)
    try self.init(
      in: directory,
      service: service,
      access: access,
      identify: { roles.identity(of: PeerCredentials(of: $0)) },
      version: version,
      clock: clock,
      configuration: configuration,
      reload: reload
    )
  }

  /// - Parameter identify: tells who is at the other end of a socket.
  init(
    in directory: RuntimeDirectory,
    service: any ControlledService,
    access: ControlSettings = ControlSettings(),
    identify: @escaping @Sendable (FileDescriptor) -> ControlIdentity,
    version: String,
    clock: SystemClock,
    configuration: @escaping @Sendable () -> StatusRecord.Configuration? = { nil },
    reload: (@Sendable () async -> ReloadReply)? = nil
  ) throws {
    self.identify = identify
    self.service = service
    self.access = access
    self.clock = clock
    self.reload = reload
    texts = ControlTexts(version: version, clock: clock, configuration: configuration)
    mailbox = try ControlMailbox()
    answers = try StopAnswers()
    listeners = (
      try ListeningSocket(path: directory.path(of: Self.controlSocketName), mode: Self.mode),
      try ListeningSocket(path: directory.path(of: Self.stopSocketName), mode: Self.mode)
    )
  }

  /// Serves until the task is cancelled. Once only.
  ///
  /// What clients have asked for is not awaited then: it may take long, and the end must not.
  package func run() async throws {
    let requests = AsyncStream.makeStream(of: ControlCall.self)
    let stops = AsyncStream.makeStream(of: ControlCall.self)
    // One stands for all that come until it is carried out.
    let stopsBesides = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let bareStops = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup { group in
      group.addTask { [self] in try await serveStops { bareStops.continuation.yield($0) } }
      group.addTask { [self] in
        try await serveControl {
          ($0.isStop ? stops : requests).continuation.yield($0)
        } stopBesides: {
          stopsBesides.continuation.yield()
        }
      }
      group.addTask { [self] in
        for await event in await service.subscribe(backlog: nil) {
          mailbox.post(event, at: clock.now)
        }
      }
      // Stops have tasks of their own, ahead of others, so that nothing is in their way.
      group.addTask(priority: .high) { [self] in
        await Self.forEach(bareStops.stream) { [self] number in
          answers.post(texts.stopLine(await service.perform(.stop)), to: number)
        }
      }
      group.addTask(priority: .high) { [service] in
        for await _ in stopsBesides.stream { await service.beginStop() }
      }
      for calls in [stops.stream, requests.stream] {
        group.addTask { [self] in
          await Self.forEach(calls) { [self] call in
            mailbox.post(await call.method.answer(by: service, reload: reload), to: call)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func serveControl(
    _ start: @escaping @Sendable (ControlCall) -> Void,
    stopBesides: @escaping @Sendable () -> Void
  ) async throws {
    try await WaitingThread.run { [self] interruption in
      var loop = ControlLoop(
        listener: listeners.control,
        mailbox: mailbox,
        access: access,
        identify: identify,
        texts: texts,
        clock: clock,
        start: start,
        stopBesides: stopBesides
      )
      try loop.run(until: interruption)
    }
  }

  private func serveStops(_ start: @escaping @Sendable (Int) -> Void) async throws {
    try await WaitingThread.run { [self] interruption in
      var loop = StopLoop(listener: listeners.stop, answers: answers, start: start)
      try loop.run(until: interruption)
    }
  }

  /// Does each at once, beside the others, and returns when no more come, whether or not all are
  /// done; how many there may be is the senders' business.
  private static func forEach<Element: Sendable>(
    _ elements: AsyncStream<Element>,
    _ body: @escaping @Sendable (Element) async -> Void
  ) async {
    for await element in elements { Task { await body(element) } }
  }
}
