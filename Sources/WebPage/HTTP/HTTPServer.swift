package import Host

/// libmicrohttpd on the program's one thread: its epoll descriptor is one more file that the loop
/// watches, and its only timer is set after each turn.
package actor HTTPServer {
  private nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let listener: TCPListener
  private let limits: Limits
  private let identity: Identity?
  private let admit: @Sendable (HTTPRequest) -> HTTPAdmission
  private let handle: @Sendable (HTTPRequest) -> HTTPReply
  private var daemon: HTTPDaemon?
  private var exchanges: [Exchange.Number: Exchange] = [:]
  private var lastExchange: Exchange.Number = 0
  /// Until when a connection's next request has to be whole, or, while it is idle, to begin.
  private var deadlines: [HTTPConnection: (end: ContinuousClock.Instant, isIdle: Bool)] = [:]
  private var isTurning = false
  private var turnsAgain = false
  private var isTurnDue = false
  /// When the loop will call, so that each turn needs no timer of its own.
  private var alarm: ContinuousClock.Instant?

  /// - Parameters:
  ///   - admit: called on the server's thread once a request's headers are there, but for stops.
  ///   - handle: called on the server's thread, once a request.
  package init(
    _ listener: TCPListener,
    _ identity: Identity? = nil,
    limits: Limits = Limits(),
    admit: @escaping @Sendable (HTTPRequest) -> HTTPAdmission = { _ in .usual },
    handle: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) {
    self.listener = listener
    self.identity = identity
    self.limits = limits
    self.admit = admit
    self.handle = handle
  }

  /// Answers until the task is cancelled.
  ///
  /// - Throws: if libmicrohttpd refuses the certificate or the socket.
  package func run() async throws(SystemError) {
    let daemon = try HTTPDaemon(listener, identity, limits: limits, for: self)
    self.daemon = daemon
    let watch = executor.watch(daemon.epoll) { [weak self] in
      self?.assumeIsolated { $0.turn() }
    }
    turn()
    await cancellation()
    withExtendedLifetime(watch) {}
    end()
  }

  private func end() {
    // libmicrohttpd waits for suspended connections.
    for exchange in exchanges.values { exchange.resume() }
    daemon?.stop()
    daemon = nil
  }

  /// Lets libmicrohttpd do what it can do now.
  private func turn() {
    guard let daemon else { return }
    guard !isTurning else {
      turnsAgain = true
      return
    }
    isTurning = true
    repeat {
      turnsAgain = false
      daemon.run()
      cutLate()
    } while turnsAgain
    isTurning = false
    setAlarm(daemon)
  }

  private func cutLate() {
    let now = ContinuousClock.now
    for (connection, deadline) in deadlines where deadline.end <= now {
      deadlines[connection] = nil
      connection.cut()
      turnsAgain = true
    }
  }

  private func setAlarm(_ daemon: HTTPDaemon) {
    let timeout = daemon.timeout
    let late = deadlines.values.map(\.end).min()
    guard timeout != nil || late != nil else { return }
    let now = ContinuousClock.now
    let asked = Duration.milliseconds(Int64(min(timeout ?? 60_000, 60_000)))
    let delay = max(.zero, min(asked, late.map { now.duration(to: $0) } ?? asked))
    let deadline = now.advanced(by: delay)
    if let alarm, now < alarm, alarm <= deadline { return }
    alarm = deadline
    executor.perform(after: delay) { [weak self] in
      self?.assumeIsolated { server in
        if server.alarm == deadline { server.alarm = nil }
        server.turn()
      }
    }
  }

  // MARK: Requests

  func open(_ connection: HTTPConnection) {
    deadlines[connection] = (.now + limits.timeout, false)
  }

  func close(_ connection: HTTPConnection) {
    deadlines[connection] = nil
    // Where all places were taken, libmicrohttpd listens again in its next turn only.
    turnsAgain = true
  }

  /// The headers are known.
  func begin(_ request: HTTPRequest, _ connection: HTTPConnection) -> Exchange {
    if deadlines[connection]?.isIdle == true { open(connection) }
    var request = request
    request.isSecure = identity != nil
    lastExchange += 1
    let exchange = Exchange(lastExchange, connection, request)
    exchanges[exchange.number] = exchange
    exchange.isLast = !request.hasOneLength
    // A body that is long in coming delays no stop.
    if request.isStop {
      start(exchange)
    } else if exchange.isLast {
      exchange.stage = .answered(.failure(400, "badLength", "the request's length is not clear"))
    } else {
      admit(exchange)
    }
    return exchange
  }

  private func admit(_ exchange: Exchange) {
    exchange.mostBody = limits.body
    switch admit(exchange.request) {
    case .usual: break
    case .large(let most, let who):
      let others = exchanges.values.count { $0.mostBody > limits.body }
      guard others < limits.largeBodies else { return pass(over: exchange, .tooManyLong) }
      exchange.mostBody = most
      exchange.request.admitted = who
      exchange.request.body.reserveCapacity(min(exchange.length, most))
    case .refused(let answer): return pass(over: exchange, answer)
    }
    guard exchange.length > exchange.mostBody else { return }
    exchange.stage = .answered(.tooLong)
    exchange.isLast = true
  }

  /// A client reads its answer only once its body is taken; one that is very long waits in vain.
  private func pass(over exchange: Exchange, _ answer: HTTPAnswer) {
    exchange.stage = .answered(answer)
    exchange.isPassedOver = exchange.length <= limits.passedOver
    exchange.isLast = !exchange.isPassedOver
  }

  func finish(_ exchange: Exchange) {
    exchanges[exchange.number] = nil
    if let connection = exchange.connection {
      deadlines[connection] = (.now + limits.idle, true)
    }
    exchange.connection = nil
    // It may not have begun: libmicrohttpd asks for no answer of a client that has left.
    exchange.answer?.stream?.end()
    exchange.stage = .ended
  }

  /// A part of the request's body.
  func receive(_ part: [UInt8], for exchange: Exchange) {
    guard case .receiving = exchange.stage else { return }
    if exchange.request.body.count + part.count <= exchange.mostBody {
      exchange.request.body += part
    } else {
      exchange.stage = .answered(.tooLong)
    }
  }

  /// The request is whole, or its answer is there.
  func answer(_ exchange: Exchange) -> Bool {
    if let connection = exchange.connection { close(connection) }
    if case .receiving = exchange.stage { start(exchange) }
    if let answer = exchange.answer { return queue(answer, exchange) }
    exchange.suspend()
    return true
  }

  private func start(_ exchange: Exchange) {
    switch handle(exchange.request) {
    case .now(let answer): exchange.stage = .answered(answer)
    case .later(let work):
      exchange.stage = .answering
      let number = exchange.number
      OneThread.task { [weak self] in
        let answer = await work()
        await self?.resume(number, with: answer)
      }
    }
  }

  private func resume(_ number: Exchange.Number, with answer: HTTPAnswer) {
    guard let exchange = exchanges[number] else {
      answer.stream?.end()
      return
    }
    exchange.stage = .answered(answer)
    exchange.resume()
    turn()
  }

  private func queue(_ answer: HTTPAnswer, _ exchange: Exchange) -> Bool {
    guard let connection = exchange.connection else { return false }
    let number = exchange.number
    return connection.send(answer, of: exchange) { [weak self, executor] in
      executor.perform { [weak self] in self?.assumeIsolated { $0.wake(number) } }
    }
  }

  private func wake(_ number: Exchange.Number) {
    guard let exchange = exchanges[number], exchange.isSuspended else { return }
    exchange.resume()
    // Once for all that are woken by the same event.
    guard !isTurnDue else { return }
    isTurnDue = true
    executor.perform { [weak self] in
      self?.assumeIsolated { server in
        server.isTurnDue = false
        server.turn()
      }
    }
  }
}

extension HTTPAnswer {
  fileprivate static let tooLong = failure(413, "tooLong", "the request is too long")
  fileprivate static let tooManyLong = failure(503, "busy", "too many long requests at once")
}
