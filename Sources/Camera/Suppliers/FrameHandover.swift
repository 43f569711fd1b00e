package import Clocks
import Glibc
import Host
import JSON

/// Hands a camera's frames over to the camera's service while that wants them.
///
/// The camera is open only then. It is opened again when it fails, and the service is looked for again
/// when it is gone.
package actor FrameHandover {
  package typealias Opening = @Sendable () throws(CameraProblem) -> any FrameSource

  /// Between two tries to connect, and two looks whether frames come.
  private static let pause = Duration.seconds(1)

  private struct Connection {
    let watch: FileWatch
    let descriptor: FileDescriptor
    var input = LineSplitter(longest: SupplierInput.longestLine)
    var output = HandoverOutput()
    /// What the service said last.
    var word: SupplierWord?
    var isAccepted = false
  }

  private nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let path: String
  private let supplier: FrameSupplier
  private let clock: any MonotonicClock
  private let open: Opening
  private let report: @Sendable (String) -> Void

  private var connection: Connection?
  private var stream: WatchedSource?
  private var lastFrame = MonotonicInstant.start
  private var openings = 0
  private var reopening = ReopeningPause(longest: .seconds(10))
  private var lastReport = ""
  private var ending: CheckedContinuation<Void, Never>?
  private var hasEnded = false

  /// - Parameters:
  ///   - path: of the service's socket.
  ///   - report: called with what is going on, in words, when that changes.
  package init(
    to path: String,
    as supplier: FrameSupplier,
    clock: any MonotonicClock,
    open: @escaping Opening,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.supplier = supplier
    self.clock = clock
    self.open = open
    self.report = report
  }

  /// Runs until ``end()``.
  package func run() async {
    guard !hasEnded else { return }
    await withCheckedContinuation { continuation in
      ending = continuation
      connect()
    }
  }

  package func end() {
    hasEnded = true
    if connection?.isAccepted == true { send(["end": .boolean(true)]) }
    (stream, connection) = (nil, nil)
    ending?.resume()
    ending = nil
  }

  private func tell(_ text: String) {
    guard text != lastReport else { return }
    lastReport = text
    report(text)
  }

  private func later(
    after pause: Duration = pause,
    _ body: @escaping @Sendable (isolated FrameHandover) -> Void
  ) {
    executor.perform(after: pause) { [weak self] in self?.assumeIsolated(body) }
  }

  // MARK: The service

  private func connect() {
    guard !hasEnded, connection == nil else { return }
    do throws(any Error) {
      let descriptor = try UnixSocketAddress(path: path).connected()
      try descriptor.setNonBlocking()
      let watch = executor.watch(descriptor.number) { [weak self] in
        self?.assumeIsolated { $0.serve() }
      }
      connection = Connection(watch: watch, descriptor: descriptor)
      send([
        "source": .string(supplier.kind.rawValue), "id": .string(supplier.id),
        "name": .string(supplier.name),
      ])
    } catch {
      tell("the camera's service takes no frames: \(error)")
      later { $0.connect() }
    }
  }

  private func serve() {
    guard let descriptor = connection?.descriptor else { return }
    flush()
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor.number, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return disconnect() }
    var lines: [JSONValue] = []
    buffer.withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
      connection?.input.append(bytes) { _, content in
        if case .line(let line) = content, let value = try? JSONValue(text: line) {
          lines.append(value)
        }
      }
    }
    for line in lines {
      if line["accepted"] == .boolean(true) {
        connection?.isAccepted = true
        begin()
      } else if let code = line["code"]?.string, let reason = line["reason"]?.string {
        connection?.word = SupplierWord(code, reason.printable)
      }
    }
  }

  private func disconnect() {
    let word = connection?.word
    (stream, connection) = (nil, nil)
    tell("the camera is off: \(word?.reason ?? "the camera's service has ended the connection")")
    later { $0.connect() }
  }

  private func send(_ members: [String: JSONValue]) {
    guard let line = SupplierLine.written(members) else { return }
    connection?.output.offer(line)
    flush()
  }

  /// Sends what the socket takes. What is wrong with it is seen when it is read.
  private func flush() {
    guard let number = connection?.descriptor.number else { return }
    connection?.output.flush { bytes in
      Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    if let connection { connection.watch.setWriting(!connection.output.isEmpty) }
  }

  // MARK: The camera

  private func begin() {
    guard connection?.isAccepted == true, stream == nil else { return }
    do throws(CameraProblem) {
      let source = try open()
      try source.start()
      lastFrame = clock.now
      let watch = executor.watch(source.descriptor.number) { [weak self] in
        self?.assumeIsolated { $0.capture() }
      }
      stream = WatchedSource(watch: watch, source: source)
      openings += 1
      let opening = openings
      later { $0.checkSilence(of: opening) }
    } catch {
      fail(error)
    }
  }

  private func capture() {
    guard let source = stream?.source else { return }
    do throws(CameraProblem) {
      guard let frame = try source.takeNewest() else {
        if source.hasEnded { throw source.trouble ?? .silent(source.path) }
        return
      }
      lastFrame = clock.now
      reopening.reset()
      try hand(over: frame, of: source.path)
    } catch {
      fail(error)
    }
  }

  private func hand(over frame: borrowing Frame, of path: String) throws(CameraProblem) {
    guard let header = SuppliedFrame.Header.line(of: frame, at: clock.now) else {
      throw CameraProblem(
        .formatRefused,
        path,
        "a picture has \(frame.bytes.count) bytes in \(frame.layout.pixelFormat), which are too many"
      )
    }
    if connection?.output.offer(header, frame.bytes) == true { tell("frames are handed over") }
    flush()
  }

  private func fail(_ problem: CameraProblem) {
    stream = nil
    send([
      "trouble": .object([
        "code": .string(problem.code.rawValue), "reason": .string("\(problem)"),
      ])
    ])
    tell("\(problem)")
    later(after: reopening.next()) { $0.begin() }
  }

  private func checkSilence(of opening: Int) {
    guard let source = stream?.source, opening == openings else { return }
    guard lastFrame.duration(to: clock.now) >= source.patience else {
      return later { $0.checkSilence(of: opening) }
    }
    fail(source.trouble ?? .silent(source.path))
  }
}
