import ControlProtocol
import Glibc
import Host
import JSON
import Programs
import Reports

/// A subcommand's connection to the running service.
struct ServiceConnection: Sendable {
  let client: ControlClient
  /// Where it was found: a stop must go to the same place.
  var place = ServiceOptions()

  /// Connects to the service; throws if none runs.
  static func open(_ place: ServiceOptions) async throws -> ServiceConnection {
    if place.simulate { return try await openSimulation() }
    do { return try await connect() } catch ControlClientError.noService(let path) {
      guard let holder = MachineHolder.current().first else {
        let error = ControlClientError.noService(path)
        throw Failure(ExitCode(for: error), "\(error)\(Self.simulationHint)")
      }
      throw Failure(
        .unavailable,
        "no service listens on \(path), but \(holder.end). If it is a service, its sockets are gone:"
          + " `ballmachine stop' reaches it still"
      )
    }
  }

  private static func openSimulation() async throws -> ServiceConnection {
    do {
      return ServiceConnection(
        client: try await .connect(in: .ofSimulation()),
        place: ServiceOptions(simulate: true)
      )
    } catch let error as ControlClientError where error.isNoService {
      throw Failure(.unavailable, noSimulation)
    }
  }

  static let noSimulation =
    "no simulation of this user runs: start `ballmachine simulate`, or leave out --simulate"

  /// The end of a message that no service runs: a user may mean a simulation.
  static var simulationHint: String {
    guard let path = try? RuntimeDirectory.ofSimulation().path(of: ControlSockets.control),
      access(path, F_OK) == 0
    else { return "" }
    return "; a simulation runs: --simulate reaches it"
  }

  private static func connect(
    within timeout: Duration = .seconds(5)
  ) async throws -> ServiceConnection {
    ServiceConnection(client: try await .connect(in: .ofRunningBridge(), timeout: timeout))
  }

  /// - Returns: nil when no service runs. A service that doesn't answer, or refuses this user, is
  ///   an error: it may be feeding the machine.
  static func find() async throws -> ServiceConnection? {
    do { return try await connect() } catch ControlClientError.noService { return nil }
  }

  /// Whether a service runs, also one that refuses this user: it can be stopped. Nil for one that
  /// doesn't answer within `timeout`.
  static func isServed(within timeout: Duration) async -> Bool? {
    do { _ = try await connect(within: timeout) } catch let error as ControlClientError {
      if case .silent = error { return nil }
      return !error.isNoService
    } catch {
      return true
    }
    return true
  }

  /// `SIM` or `REAL` now, as a service outlives an exchange of bluetoothd; nil while the service
  /// doesn't know or can't say.
  func mode(within timeout: Duration = .seconds(2)) async -> String? {
    await link(within: timeout)?.mode
  }

  /// The link now; nil if the service can't say.
  func link(within timeout: Duration = .seconds(2)) async -> LinkRecord? {
    await status(within: timeout)?.link
  }

  private func status(within timeout: Duration = .seconds(2)) async -> StatusRecord? {
    try? await ask(.status, for: StatusRecord.self, within: timeout)
  }

  /// Sends a request, and decodes the answer.
  func ask<Answer: Decodable>(
    _ request: ControlRequest,
    for type: Answer.Type = Answer.self,
    within timeout: Duration = .seconds(15)
  ) async throws -> Answer {
    let answer = try await client.call(request, timeout: timeout)
    do { return try answer.decoded(as: type) } catch { throw notUnderstood }
  }

  /// The service's answer is none of this program's protocol.
  var notUnderstood: Failure {
    Failure(
      .unavailable,
      "the service is of version \(client.hello.version), and its answer is not understood:"
        + " restart it with `systemctl restart ballmachine`"
    )
  }

  /// Sends a request that changes safety or what is trained.
  func change(_ request: ControlRequest) async throws -> ChangeReport {
    if case .arm = request { try await warnOfFramedMachine() }
    let record: EventRecord
    do { record = try await ask(request) } catch let error as ControlClientError {
      switch (request, error) {
      case (.arm, .silent), (.arm, .lost), (.resume, .silent), (.resume, .lost):
        // A service that goes on later drops what a client that has left asked for.
        client.close()
        throw Failure(.temporary, "NOT KNOWN whether it arms: run `ballmachine stop'; \(error)")
      case (.arm, .failed), (.resume, .failed):
        // Which process has the machine instead, or what else keeps it away.
        guard let link = await status()?.link, !link.isReady, let trouble = link.trouble else {
          throw error
        }
        throw Failure(ExitCode(for: error), "\(error); \(trouble)")
      default: throw error
      }
    }
    let status = await status()
    guard var report = ChangeReport(mode: status?.link.mode, record: record) else {
      throw notUnderstood
    }
    if case .arm = request {
      if let training = status?.training, training.isChosen { report.training = training }
      report.profile = status?.link.profile
      report.characteristic = status?.link.characteristic
    }
    return report
  }

  /// A user who may not ask is refused by the request itself, which says what is missing. A service
  /// that doesn't answer is not asked to arm.
  private func warnOfFramedMachine() async throws {
    do {
      let status = try await ask(.status, for: StatusRecord.self, within: .seconds(5))
      guard status.link.notifications != nil else { return }
      Output.complain(
        "unverified: a framed machine may feed until it is stopped, and on when the link is lost"
      )
    } catch ControlClientError.failed {}
  }
}
