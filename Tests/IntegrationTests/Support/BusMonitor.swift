import DBus
import Foundation
import TestSupport

/// Everything that is said on a bus, read by eyes that are not ours: those of `busctl monitor`.
struct BusMonitor: Sendable {
  private let program: RunningProgram
  /// In the bus's order, until ``stop()``.
  let messages: AsyncStream<BusMessage>

  /// Returns once it listens.
  static func start(_ bus: BusAddress) async throws -> BusMonitor {
    let option =
      if case .address(let address) = bus { "'--address=\(address)'" } else { "--system" }
    let program = try RunningProgram(
      [],
      script: "exec busctl \(option) monitor --json=short 2>&1"
    )
    var lines = program.lines.makeAsyncIterator()
    let first = await lines.next(isolation: nil) ?? "nothing"
    guard first.hasPrefix("Monitoring") else {
      throw CannotBePlayed(description: "busctl monitor said: \(first)")
    }
    return BusMonitor(program)
  }

  private init(_ program: RunningProgram) {
    self.program = program
    let (messages, continuation) = AsyncStream<BusMessage>.makeStream()
    self.messages = messages
    Task {
      let decoder = JSONDecoder()
      for await line in program.lines {
        do {
          continuation.yield(try decoder.decode(BusMessage.self, from: Data(line.utf8)))
        } catch {
          // It must not go unseen: whoever looks for this message will not find it.
          print("busctl monitor: \(line): \(error)")
        }
      }
      continuation.finish()
    }
  }

  func stop() async {
    program.send(signal: 15)
    _ = await program.result()
  }
}

/// A D-Bus message as `busctl monitor --json=short` prints it.
struct BusMessage: Decodable, Sendable {
  enum Kind: String, Decodable {
    case call = "method_call"
    case reply = "method_return"
    case error
    case signal
  }

  struct Payload: Decodable, Sendable {
    var data: BusValue
  }

  var type: Kind
  var cookie: Int
  var reply_cookie: Int?
  var sender: String?
  var destination: String?
  var path: String?
  var interface: String?
  var member: String?
  var error_name: String?
  var payload: Payload?

  var arguments: [BusValue] { payload?.data.array ?? [] }
}

/// A value in busctl's JSON. A variant is an object of `type` and `data`.
enum BusValue: Decodable, Hashable, Sendable {
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([BusValue])
  case object([String: BusValue])
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([BusValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: BusValue].self))
    }
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var array: [BusValue]? { if case .array(let value) = self { value } else { nil } }
  var object: [String: BusValue]? { if case .object(let value) = self { value } else { nil } }

  /// What is in a variant.
  var variant: BusValue? { object?["data"] }
}
