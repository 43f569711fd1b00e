import ControlProtocol
import Glibc
import Host
import Programs
import WebPage

/// `ballmachine web run`: the page, as a service or by hand.
struct Run: Subcommand {
  var web = WebOptions()
  var simulate = false

  static let usage = Usage<Self>(
    name: "run",
    summary: "Serve the page to phones",
    options: WebOptions.options.within(\.web) + [
      .flag("simulate", \.simulate, "Show this user's simulation instead of the service")
    ],
    details: """
      It prints where the page is, and serves it until SIGINT or SIGTERM. It waits for the bridge's \
      service, and follows the next one when that ends. When this program ends, nothing that the \
      bridge does changes, but where a phone has armed with the wish to pause when it is gone.
      """
  )

  func run(_ output: Output) async throws {
    let settings = try web.settings()
    let identity = try settings.identity()
    let journal = JournalLog(least: .information) { Output.complain("ballmachine web: \($0)") }
    let notifier = ServiceNotifier()
    let page = try Self.listen(settings.listen, settings.port)
    let stop = try Self.listen(settings.listen, settings.stopPort)
    let plainStop =
      identity == nil ? nil : try Self.listen(settings.listen, settings.plainStopPort)
    let hostname = Self.hostname
    let pairing = Pairing(
      file: PairedPhones.file(in: try ProgramPlaces.web.state()),
      log: { journal.write($0, .warning) }
    )
    // `ballmachine session', which this asks, would look for the bridge's logs there.
    unsetenv("STATE_DIRECTORY")
    let (isSecure, configuration) = (identity != nil, web.listen == nil ? web.path : nil)
    let addresses = { @Sendable in
      PageAddresses(
        listen: settings.listen,
        port: page.port,
        isSecure: isSecure,
        names: settings.names,
        hostname: hostname,
        configuration: configuration
      )
    }
    let box = PageService.Box(
      id: BoxID.load(in: ProgramPlaces.web.runtime) { journal.write("\($0)", .warning) },
      version: Version.number,
      hostname: hostname,
      port: page.port,
      stopPort: stop.port
    )
    let socket = try PhoneSocket(
      path: ProgramPlaces.web.socket,
      pairing: pairing,
      hostname: box.shortName,
      addresses: addresses
    )
    let simulate = simulate
    let place = { @Sendable () throws -> RuntimeDirectory in
      try simulate ? .ofSimulation() : .ofRunningBridge()
    }
    let bridge = BridgeAccess(place)
    let service = PageService(
      box,
      gate: RequestGate(hostname: hostname, names: settings.names),
      pairing: pairing,
      bridge: bridge,
      sessions: SessionReports(
        program: OtherProgram.path(beside: "ballmachine") ?? "ballmachine",
        options: simulate ? ["--simulate"] : []
      ),
      camera: CameraAccess(path: settings.camera),
      phoneCamera: PhoneCamera(path: settings.frames) {
        (try? await bridge.call(.reload())) != nil
      },
      stops: StopLine {
        await StopRecord { try await ControlClient.stop(in: try place()) }
      }
    )
    let onlyStops: @Sendable (HTTPRequest) -> HTTPReply = { service.replyToStop($0) }
    var servers = [
      HTTPServer(page, identity, admit: { service.admission(of: $0) }) { service.reply(to: $0) },
      HTTPServer(stop, identity, limits: .ofStops, handle: onlyStops),
    ]
    if let plainStop {
      servers.append(HTTPServer(plainStop, limits: .ofStops, handle: onlyStops))
    }
    let signals = try endSignals()
    notifier.ready()
    try await output.write(
      Listening(addresses: addresses().all, stopPort: stop.port, plainStopPort: plainStop?.port)
    )
    try await withThrowingTaskGroup(of: Void.self) { [servers] group in
      for server in servers { group.addTask { try await server.run() } }
      group.addTask { await socket.run() }
      group.addTask { for await _ in signals { return } }
      defer { group.cancelAll() }
      try await group.next()
    }
    notifier.stopping()
    await journal.flush()
    try await output.flush()
  }

  private static func listen(_ address: String, _ port: Int) throws -> TCPListener {
    do throws(SystemError) { return try TCPListener(address, port: port) } catch {
      switch error.code {
      case EADDRNOTAVAIL:
        throw Failure(.temporary, "this box has no address \(address) at the moment (page.listen)")
      case EADDRINUSE:
        throw Failure(.unavailable, "another program listens on \(address), port \(port)")
      case EACCES:
        throw Failure(.noPermission, "port \(port) needs root: choose one from 1024 on")
      default: throw Failure(.unavailable, error)
      }
    }
  }

  static var hostname: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Where the page is, and on which ports it takes stops.
private struct Listening: Report {
  var event = "listening"
  /// The URLs of the page, the most promising one first.
  var addresses: [String]
  /// The port for stops alone, in the page's scheme.
  var stopPort: Count
  /// With a certificate: the port for stops in plain HTTP.
  var plainStopPort: Count?

  var text: String {
    "the page: \(addresses.joined(separator: " ")); stops: port \(stopPort)"
      + (plainStopPort.map { ", plain \($0)" } ?? "")
  }
}
