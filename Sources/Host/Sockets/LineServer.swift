import Glibc

/// A Unix socket that answers lines: each line of a client is a request.
///
/// The group of the socket's file decides who may ask. A client's requests are answered in their
/// order, one at a time.
package actor LineServer {
  /// Answers a line, or nil for one that is too long. The bytes are sent as they are.
  package typealias Answer = @Sendable (_ line: [UInt8]?) async -> [UInt8]

  private static let clientLimit = 16
  /// A client with more requests that wait is closed: it doesn't read its answers.
  private static let mostWaiting = 256

  private final class Client {
    let descriptor: FileDescriptor
    var splitter: LineSplitter
    var requests: [[UInt8]?] = []
    var isBeingAnswered = false
    var output: [UInt8] = []
    var watch: FileWatch?

    init(_ descriptor: FileDescriptor, longest: Int) {
      self.descriptor = descriptor
      splitter = LineSplitter(longest: longest)
    }
  }

  private nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let listener: ListeningSocket
  /// Has the listener, but while no client is accepted.
  private let newcomers: FileSet
  private let longest: Int
  private let answer: Answer
  private var clients: [Int: Client] = [:]
  private var lastNumber = 0

  /// - Parameter longest: the bytes that a line may have.
  package init(
    path: String,
    longest: Int,
    answer: @escaping Answer
  ) throws(UnixSocketError) {
    do throws(SystemError) { newcomers = try FileSet() } catch { throw .system(error) }
    listener = try ListeningSocket(path: path)
    self.longest = longest
    self.answer = answer
  }

  /// Answers until the task is cancelled.
  package func run() async {
    let watch = executor.watch(newcomers.descriptor.number) { [weak self] in
      self?.assumeIsolated { $0.accept() }
    }
    listen()
    await cancellation()
    withExtendedLifetime(watch) {}
    clients = [:]
  }

  private func listen() {
    if !newcomers.add(listener.descriptor, as: 0) { rest() }
  }

  private func rest() {
    newcomers.remove(listener.descriptor)
    executor.perform(after: ListeningSocket.pause) { [weak self] in
      self?.assumeIsolated { $0.listen() }
    }
  }

  private func accept() {
    let hasRoom = listener.acceptTurn { descriptor in
      // One too many is closed at once.
      guard clients.count < Self.clientLimit else { return }
      lastNumber += 1
      let (number, client) = (lastNumber, Client(descriptor, longest: longest))
      clients[number] = client
      client.watch = executor.watch(descriptor.number) { [weak self] in
        self?.assumeIsolated { $0.serve(number) }
      }
    }
    if !hasRoom { rest() }
  }

  private func serve(_ number: Int) {
    guard let client = clients[number] else { return }
    guard flush(client) else { return remove(number) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(client.descriptor.number, &buffer, buffer.count)
    guard count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR) else {
      return remove(number)
    }
    buffer.withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(count, 0)))
      client.splitter.append(bytes) { _, content in
        if case .line(let line) = content {
          client.requests.append(line)
        } else {
          client.requests.append(nil)
        }
      }
    }
    guard client.requests.count <= Self.mostWaiting else { return remove(number) }
    answerNext(of: number)
  }

  private func answerNext(of number: Int) {
    guard let client = clients[number], !client.isBeingAnswered, client.output.isEmpty,
      !client.requests.isEmpty
    else { return }
    client.isBeingAnswered = true
    let request = client.requests.removeFirst()
    Task(executorPreference: executor.tasks) { await self.reply(to: request, of: number) }
  }

  private func reply(to request: [UInt8]?, of number: Int) async {
    send(await answer(request), to: number)
  }

  private func send(_ bytes: [UInt8], to number: Int) {
    guard let client = clients[number] else { return }
    client.isBeingAnswered = false
    client.output = bytes
    guard flush(client) else { return remove(number) }
    answerNext(of: number)
  }

  /// - Returns: false if the client has gone.
  private func flush(_ client: Client) -> Bool {
    while !client.output.isEmpty {
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      let count = Glibc.send(
        client.descriptor.number,
        client.output,
        client.output.count,
        flags
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 || errno == EAGAIN else { return false }
      guard count > 0 else { break }
      client.output.removeFirst(count)
    }
    client.watch?.setWriting(!client.output.isEmpty)
    return true
  }

  private func remove(_ number: Int) { clients[number] = nil }
}
