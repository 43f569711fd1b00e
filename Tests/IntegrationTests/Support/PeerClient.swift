import Foundation
import MockMachine
import TestSupport

/// The other end of the radio: lines to the peer of the real stack, and what it tells.
actor PeerClient {
  /// A line of the peer's.
  struct Event: Decodable, Sendable {
    var event: String
    var machine: String?
    var characteristic: String?
    var value: String?
    var hex: String?
    var type: String?
    var reason: String?
    var message: String?
  }

  private let program: RunningProgram
  private var answers: [CheckedContinuation<Event?, Never>] = []
  private var isEnded = false
  nonisolated let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  private init(_ program: RunningProgram) {
    self.program = program
    (events, continuation) = AsyncStream.makeStream()
  }

  /// - Parameter socket: the path of the peer's control socket.
  static func connect(to socket: String) throws -> PeerClient {
    let program = try RunningProgram([], script: "exec socat STDIO 'UNIX-CONNECT:\(socket)'")
    let client = PeerClient(program)
    Task { await client.read() }
    return client
  }

  func disconnect() async {
    program.send(signal: 15)
    _ = await program.result()
  }

  /// Gives it a line, and returns when it is done.
  func tell(_ line: String) async throws {
    let answer: Event? = await withCheckedContinuation { continuation in
      guard !isEnded else { return continuation.resume(returning: nil) }
      // Answers come in the order of the lines.
      answers.append(continuation)
      program.write(line + "\n")
    }
    guard let answer else { throw CannotBePlayed(description: "\(line): the peer has gone") }
    if let message = answer.message {
      throw CannotBePlayed(description: "\(line): the peer says: \(message)")
    }
  }

  private func read() async {
    let decoder = JSONDecoder()
    for await line in program.lines {
      do {
        let event = try decoder.decode(Event.self, from: Data(line.utf8))
        switch event.event {
        case "done",
          "error" where !answers.isEmpty:
          answers.removeFirst().resume(returning: event)
        default: continuation.yield(event)
        }
      } catch {
        // It must not go unseen: whoever waits for this event will not get it.
        print("peer: \(line): \(error)")
      }
    }
    isEnded = true
    for answer in answers { answer.resume(returning: nil) }
    answers = []
    continuation.finish()
  }
}
