import FoundationEssentials
import Threads

/// A program's end of the control socket: connects, asks, and follows what happens.
///
/// It waits on threads of its own, never on Swift's. The connection ends with ``close()`` or with
/// the client's last reference.
package final class ControlClient: Sendable {
  /// What the service says of itself first.
  package struct Hello: Hashable, Sendable {
    package let `protocol`: Int
    package let version: String
    package let role: ControlRole
    /// `SIM` or `REAL`; nil while the service doesn't know.
    package let mode: String?
  }

  /// What comes without having been asked for, after `subscribe`.
  package enum Notification: Hashable, Sendable {
    /// An ``EventRecord``'s object.
    case event(JSONValue)
    /// So many events were dropped, because they were not taken in time.
    case dropped(Int)
  }

  /// The bytes that a line of the service may have.
  private static let longestLine = 1 << 20

  package let hello: Hello
  /// Ends with the connection. For one reader; one that is far behind misses the oldest of a kind,
  /// and is told how many.
  package let notifications: EventStream<Notification>

  private let connection: ControlConnection
  private let conversation: ControlConversation
  private let writing = LoopExecutor()

  /// Connects, and waits for the service's hello.
  ///
  /// - Parameter patience: how long the service may take for that.
  package static func connect(
    in directory: RuntimeDirectory,
    patience: Duration = .seconds(5)
  ) async throws(ControlClientError) -> ControlClient {
    try await onOwnThread { () throws(ControlClientError) in
      try ControlClient(
        ControlConnection(to: ControlServer.controlSocketName, in: directory, patience: patience)
      )
    }
  }

  private init(_ connection: ControlConnection) throws(ControlClientError) {
    var splitter = LineSplitter(longest: Self.longestLine)
    var lines: [[UInt8]] = []
    while lines.isEmpty { lines = try connection.read(into: &splitter) }
    let first = lines.removeFirst()
    guard let greeting = try? JSONValue(text: first) else { throw .strange(connection.path) }
    hello = try Hello(greeting: greeting, from: connection.path)
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
          for line in waiting { conversation.take(line) }
          waiting = try connection.read(into: &splitter)
        }
      } catch {
        conversation.end(error)
      }
    }
  }

  deinit { connection.end() }

  /// Ends the connection; whoever waits for an answer gets ``ControlClientError/lost``.
  package func close() { connection.end() }

  /// Asks, and waits for the answer.
  ///
  /// - Parameter patience: how long that may take; a stop or a command by hand takes some seconds.
  /// - Returns: the result.
  package func call(
    _ method: String,
    _ parameters: [String: JSONValue] = [:],
    patience: Duration = .seconds(15)
  ) async throws(ControlClientError) -> JSONValue {
    let id = conversation.nextID()
    let line = try Request(id: id, method: method, params: parameters).line
    let deadline = Task { [conversation, path = connection.path] in
      guard (try? await Task.sleep(for: patience)) != nil else { return }
      conversation.finish(id, .failure(.silent(path)))
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard conversation.begin(id, continuation) else { return }
        writing.perform { [connection, conversation] in
          do throws(ControlClientError) { try connection.write(line) } catch {
            conversation.finish(id, .failure(error))
          }
        }
      }
    } onCancel: {
      conversation.finish(id, .failure(.cancelled))
    }.get()
  }

  /// Stops the machine through the stop socket, where nothing can be in the way; should that fail,
  /// through the control socket.
  ///
  /// - Returns: `outcome`, as ``StopOutcome/word``, and `reason`, in words.
  package static func stop(
    in directory: RuntimeDirectory,
    patience: Duration = .seconds(10)
  ) async throws(ControlClientError) -> JSONValue {
    let failure: ControlClientError
    do { return try await stopAlone(in: directory, patience) } catch { failure = error }
    do { return try await stopAsGuest(in: directory, patience) } catch {
      // Rather why there is no answer than that one of the sockets is missing.
      if case .noService = failure, !error.isNoService { throw error }
      throw failure
    }
  }

  /// Stops the machine through the stop socket.
  private static func stopAlone(
    in directory: RuntimeDirectory,
    _ patience: Duration
  ) async throws(ControlClientError) -> JSONValue {
    let path = directory.path(of: ControlServer.stopSocketName)
    return try await onOwnThread { () throws(ControlClientError) in
      let connection = try ControlConnection(
        to: ControlServer.stopSocketName,
        in: directory,
        patience: patience
      )
      try connection.write(Data("stop".utf8))
      var splitter = LineSplitter()
      while true {
        guard let line = try connection.read(into: &splitter).first else { continue }
        guard let answer = try? JSONValue(text: line) else {
          throw .strange(path)
        }
        return answer
      }
    }
  }

  /// Stops the machine through the control socket. A service that has no place for this client
  /// greets it with an error, and takes its stop all the same.
  private static func stopAsGuest(
    in directory: RuntimeDirectory,
    _ patience: Duration
  ) async throws(ControlClientError) -> JSONValue {
    try await onOwnThread { () throws(ControlClientError) in
      let connection = try ControlConnection(
        to: ControlServer.controlSocketName,
        in: directory,
        patience: patience
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
        _ = try Hello(greeting: greeting, from: connection.path)
      }
      let request = Request(id: 1, method: ControlMethod.stopName, params: [:])
      try connection.write(try request.line)
      let answer = try nextMessage()
      if let error = answer["error"] { throw .failed(error) }
      guard answer["id"] == .integer(1), let result = answer["result"] else {
        throw .strange(connection.path)
      }
      return result
    }
  }

  private static func onOwnThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws(ControlClientError) -> Result
  ) async throws(ControlClientError) -> Result {
    let result: Swift.Result<Result, ControlClientError> = await withCheckedContinuation {
      continuation in
      do throws(ControlClientError) {
        try start {
          do throws(ControlClientError) {
            continuation.resume(returning: .success(try body()))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  private static func start(_ body: @escaping @Sendable () -> Void) throws(ControlClientError) {
    do { try WaitingThread.start(body) } catch { throw .system(error) }
  }
}

extension ControlClient.Hello {
  /// - Parameter greeting: the first that a service says.
  fileprivate init(greeting: JSONValue, from path: String) throws(ControlClientError) {
    if let error = greeting["error"] { throw .failed(error) }
    guard greeting["method"]?.string == "hello", let hello = Self(greeting["params"]),
      hello.protocol == ControlMessage.protocolNumber
    else { throw .strange(path) }
    self = hello
  }

  fileprivate init?(_ parameters: JSONValue?) {
    guard let number = parameters?["protocol"]?.integer,
      let version = parameters?["version"]?.string,
      let role = parameters?["role"]?.string.flatMap(ControlRole.init(rawValue:))
    else { return nil }
    self.init(protocol: number, version: version, role: role, mode: parameters?["mode"]?.string)
  }
}

private struct Request: Encodable {
  let jsonrpc = "2.0"
  let id: Int
  let method: String
  let params: [String: JSONValue]

  var line: Data {
    get throws(ControlClientError) {
      guard let line = try? RecordEncoding.line(self) else {
        throw .system(SystemError("put the request into words", code: 0))
      }
      return line
    }
  }
}
