package import Host
package import JSON

/// A client of the control socket: connects, sends requests, and follows events.
///
/// It waits on threads of its own, never on Swift's. The connection ends with ``close()`` or with
/// the client's last reference.
package final class ControlClient: Sendable {
  /// A message that is no answer: it comes after `subscribe`.
  package enum Notification: Hashable, Sendable {
    /// An ``EventRecord``'s object.
    case event(JSONValue)
    /// The number of events dropped because the reader was too slow.
    case dropped(Int)
  }

  /// The longest line of the service, in bytes.
  private static let longestLine = 1 << 20

  package let hello: HelloRecord
  /// Ends with the connection. For one reader; a slow one misses the oldest events of a kind, and
  /// gets their number.
  package let notifications: EventStream<Notification>

  private let connection: ControlConnection
  private let conversation: ControlConversation
  private let writing = LoopExecutor()

  /// Connects, and waits for the service's hello.
  ///
  /// - Parameter timeout: how long the service may take to say hello.
  package static func connect(
    in directory: RuntimeDirectory,
    timeout: Duration = .seconds(5)
  ) async throws(ControlClientError) -> ControlClient {
    try await onOwnThread { () throws(ControlClientError) in
      try ControlClient(
        ControlConnection(to: ControlSockets.control, in: directory, timeout: timeout)
      )
    }
  }

  private init(_ connection: ControlConnection) throws(ControlClientError) {
    var splitter = LineSplitter(longest: Self.longestLine)
    var lines: [[UInt8]] = []
    while lines.isEmpty { lines = try connection.read(into: &splitter) }
    let first = lines.removeFirst()
    guard let greeting = try? JSONValue(text: first) else { throw .strange(connection.path) }
    hello = try HelloRecord(greeting: greeting, from: connection.path)
    self.connection = connection
    let buffer = EventBuffer(dropped: Notification.dropped)
    notifications = EventStream(buffer)
    conversation = ControlConversation(notifications: buffer)
    connection.waitForEver()
    let conversation = conversation
    try Self.start { [lines, splitter] in
      var splitter = splitter
      var waiting = lines
      do throws(ControlClientError) {
        while true {
          for line in waiting { conversation.receive(line) }
          waiting = try connection.read(into: &splitter)
        }
      } catch {
        conversation.end(error)
      }
    }
  }

  deinit { connection.end() }

  /// Ends the connection; pending calls fail with ``ControlClientError/lost``.
  package func close() { connection.end() }

  /// Sends a request, and waits for the answer.
  ///
  /// - Parameter timeout: the time limit; a stop or a command by hand takes some seconds.
  /// - Returns: the result.
  package func call(
    _ request: ControlRequest,
    timeout: Duration = .seconds(15)
  ) async throws(ControlClientError) -> JSONValue {
    let (id, answer) = try conversation.begin()
    let line = ControlMessage.request(id, request)
    let deadline = OneThread.task { [conversation, path = connection.path] in
      guard (try? await SystemClock().sleep(for: timeout)) != nil else { return }
      conversation.finish(id, .failure(.silent(path)))
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      // One that is cancelled before it began asks for nothing.
      if !Task.isCancelled {
        writing.perform { [connection, conversation] in
          do throws(ControlClientError) { try connection.write(line) } catch {
            conversation.finish(id, .failure(error))
          }
        }
      }
      return await answer.value()
    } onCancel: {
      conversation.finish(id, .failure(.cancelled))
    }.get()
  }

  /// Stops the machine through the stop socket, which serves nothing but stops; if that fails, through its
  /// abstract name, which is there though the folder is gone; then through the control socket. A service
  /// that has the stop and says nothing isn't asked twice.
  ///
  /// - Returns: `outcome`, as ``StopOutcome/word``, and `reason`, in words.
  package static func stop(
    in directory: RuntimeDirectory,
    timeout: Duration = .seconds(10)
  ) async throws(ControlClientError) -> JSONValue {
    try await stopAndTell(in: directory, timeout: timeout).answer
  }

  /// ``stop(in:timeout:)``, and which process answered; nil where that isn't known.
  package static func stopAndTell(
    in directory: RuntimeDirectory,
    timeout: Duration = .seconds(10)
  ) async throws(ControlClientError) -> (answer: JSONValue, process: Int32?) {
    var asked: Int32?
    var failure: ControlClientError
    do throws(ControlClientError) {
      let connection = try await onOwnThread { () throws(ControlClientError) in
        try ControlConnection(to: ControlSockets.stop, in: directory, timeout: timeout)
      }
      asked = connection.peer.process
      return (try await stopAlone(over: connection), connection.peer.process)
    } catch {
      failure = error
    }
    do throws(ControlClientError) {
      let connection = try await onOwnThread { () throws(ControlClientError) in
        try ControlConnection(
          to: address(named: directory.path(of: ControlSockets.stop)),
          timeout: timeout
        )
      }
      if case .silent = failure, connection.peer.process == asked { throw failure }
      let answer = try await stopAlone(over: connection)
      // The stop is sent before the listener is checked. Its answer counts only if it is trusted.
      try connection.believe(directory.trusted)
      return (answer, connection.peer.process)
    } catch {
      // A socket that is there says more than a name that is missing.
      if failure.isNoService, !error.isNoService { failure = error }
    }
    // The other socket is the same process's.
    if case .silent = failure { throw failure }
    return (try await stopAsGuest(in: directory, timeout, after: failure), nil)
  }

  /// Stops the machine through the claim of this name. Any process may hold it.
  package static func stop(
    claim name: String,
    timeout: Duration = .seconds(8)
  ) async throws(ControlClientError) -> JSONValue {
    let connection = try await onOwnThread { () throws(ControlClientError) in
      try ControlConnection(to: address(named: name), timeout: timeout)
    }
    return try await stopAlone(over: connection)
  }

  private static func address(named name: String) throws(ControlClientError) -> UnixSocketAddress {
    do throws(UnixSocketError) { return try UnixSocketAddress(abstract: name) } catch {
      throw .noService(name)
    }
  }

  /// - Parameter connection: to the stop socket.
  private static func stopAlone(
    over connection: ControlConnection
  ) async throws(ControlClientError) -> JSONValue {
    try await onOwnThread { () throws(ControlClientError) in
      try connection.write(Array("stop".utf8))
      var splitter = LineSplitter()
      while true {
        guard let line = try connection.read(into: &splitter).first else { continue }
        guard let answer = try? JSONValue(text: line) else { throw .strange(connection.path) }
        return answer
      }
    }
  }

  /// - Parameter failure: of the stop socket.
  private static func stopAsGuest(
    in directory: RuntimeDirectory,
    _ timeout: Duration,
    after failure: ControlClientError
  ) async throws(ControlClientError) -> JSONValue {
    do { return try await stopAsGuest(in: directory, timeout) } catch {
      // A missing answer says more than a missing socket.
      if case .noService = failure, !error.isNoService { throw error }
      throw failure
    }
  }

  /// Stops the machine through the control socket. A service with too many clients greets this one
  /// with an error, but accepts its stop.
  private static func stopAsGuest(
    in directory: RuntimeDirectory,
    _ timeout: Duration
  ) async throws(ControlClientError) -> JSONValue {
    try await onOwnThread { () throws(ControlClientError) in
      let connection = try ControlConnection(
        to: ControlSockets.control,
        in: directory,
        timeout: timeout
      )
      var splitter = LineSplitter(longest: longestLine)
      var lines: [[UInt8]] = []
      func nextMessage() throws(ControlClientError) -> JSONValue {
        while lines.isEmpty { lines = try connection.read(into: &splitter) }
        guard let message = try? JSONValue(text: lines.removeFirst()) else {
          throw .strange(connection.path)
        }
        return message
      }
      let greeting = try nextMessage()
      if greeting["error"]?["code"]?.integer != ControlError.Code.tooMany.rawValue {
        // A service of any version: its stop is the same.
        try HelloRecord.check(greeting, from: connection.path)
      }
      try connection.write(ControlMessage.request(1, .stop))
      let message = try nextMessage()
      guard let answer = Result(answer: message) else { throw .strange(connection.path) }
      let result = try answer.get()
      guard message["id"] == .integer(1) else { throw .strange(connection.path) }
      return result
    }
  }

  private static func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(ControlClientError) -> Value
  ) async throws(ControlClientError) -> Value {
    let result: Result<Value, ControlClientError>
    do {
      result = try await WaitingThread.value {
        Result { () throws(ControlClientError) in try body() }
      }
    } catch {
      throw .system(error)
    }
    return try result.get()
  }

  private static func start(_ body: @escaping @Sendable () -> Void) throws(ControlClientError) {
    do { try WaitingThread.start(body) } catch { throw .system(error) }
  }
}

extension HelloRecord {
  /// - Parameter greeting: the service's first message.
  fileprivate init(greeting: JSONValue, from path: String) throws(ControlClientError) {
    try Self.check(greeting, from: path)
    guard let hello = try? greeting["params"]?.decoded(as: HelloRecord.self),
      hello.protocol == Self.protocolNumber
    else { throw .strange(path) }
    self = hello
  }

  /// Throws unless a service, of any version, greets with this.
  fileprivate static func check(
    _ greeting: JSONValue,
    from path: String
  ) throws(ControlClientError) {
    if let error = greeting["error"] { throw .failed(error) }
    guard greeting["method"]?.string == "hello" else { throw .strange(path) }
  }
}
