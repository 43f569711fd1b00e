import Glibc
import Host

/// Connects to several addresses of a broker, each a little later than the one before it, and closes
/// all again: the first that is connected is the one to use.
actor AddressRace {
  /// From one address to the next. Source: RFC 8305, 5.
  private static let headStart = Duration.milliseconds(250)

  private nonisolated let executor: LoopExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let broker: BrokerSettings
  private let limit: Duration
  private let headStart: Duration
  /// Those that have not begun.
  private var waiting: ArraySlice<String>
  private var begun: [String] = []
  private var running: [String: (socket: FileDescriptor, watch: FileWatch)] = [:]
  /// Why an address can't be used, in the system's words.
  private var reasons: [String: String] = [:]
  private let end = FirstAnswer<String>()
  private var isOver = false

  init(
    _ addresses: [String],
    of broker: BrokerSettings,
    within limit: Duration,
    on executor: LoopExecutor
  ) {
    waiting = addresses[...]
    self.broker = broker
    self.limit = limit
    self.executor = executor
    // Half of the time is for the last one.
    headStart = min(Self.headStart, limit / 2 / addresses.count)
  }

  /// - Throws: ``MQTTFailure`` with each address, and `CancellationError`.
  func winner() async throws -> String {
    after(limit) { $0.fail() }
    beginNext()
    defer {
      isOver = true
      running = [:]
    }
    return try await withTaskCancellationHandler {
      try await end.wait()
    } onCancel: {
      end.give(.failure(CancellationError()))
    }
  }

  private func beginNext() {
    guard !isOver else { return }
    guard let address = waiting.popFirst() else {
      if running.isEmpty { fail() }
      return
    }
    begun.append(address)
    do throws(SystemError) {
      let socket = try Self.connecting(to: address, broker.port)
      let watch = executor.watch(socket.number) { [weak self] in
        self?.assumeIsolated { $0.look(at: address) }
      }
      watch.setWriting(true)
      running[address] = (socket, watch)
      after(headStart) { if $0.begun.last == address { $0.beginNext() } }
    } catch {
      drop(address, error.code)
    }
  }

  /// It is connected, or can't be.
  private func look(at address: String) {
    guard let socket = running[address]?.socket else { return }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout.size(ofValue: code))
    getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &size)
    code == 0 ? end.give(.success(address)) : drop(address, code)
  }

  private func drop(_ address: String, _ code: Int32) {
    running[address] = nil
    reasons[address] = String(cString: strerror(code))
    // The next one need not wait.
    if begun.last == address { beginNext() } else if waiting.isEmpty, running.isEmpty { fail() }
  }

  private func fail() {
    let silent = begun.filter { reasons[$0] == nil }
    var words: [String] = []
    if !silent.isEmpty {
      let seconds = limit.components.seconds
      words.append("no answer from \(Self.list(silent)) in \(seconds) s")
    }
    var told: Set<String> = []
    for case let reason? in begun.map({ reasons[$0] }) where told.insert(reason).inserted {
      words.append("\(Self.list(begun.filter { reasons[$0] == reason })): \(reason)")
    }
    let text = "can't connect to \(broker.location): \(words.joined(separator: "; "))"
    end.give(.failure(MQTTFailure(.unreachable, "\(text) (\(begun.count) addresses tried)")))
  }

  private static func list(_ addresses: [String]) -> String {
    let first = addresses.dropLast().joined(separator: ", ")
    return first.isEmpty ? addresses.last ?? "" : "\(first) and \(addresses.last ?? "")"
  }

  private func after(
    _ delay: Duration,
    _ body: @escaping @Sendable (isolated AddressRace) -> Void
  ) {
    executor.perform(after: delay) { [weak self] in self?.assumeIsolated(body) }
  }

  /// A socket on its way to a numeric address.
  private static func connecting(
    to address: String,
    _ port: Int
  ) throws(SystemError) -> FileDescriptor {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let entry = found?.pointee else {
      throw SystemError("connect to \(address)", code: EADDRNOTAVAIL)
    }
    defer { freeaddrinfo(found) }
    let number = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard number >= 0 else { throw SystemError("connect to \(address)") }
    let socket = FileDescriptor(owning: number)
    try socket.setNonBlocking()
    guard connect(number, entry.ai_addr, entry.ai_addrlen) == 0 || errno == EINPROGRESS else {
      throw SystemError("connect to \(address)")
    }
    return socket
  }
}
