import DBus
import Foundation
import TestSupport

/// What is said on a bus to BlueZ and by it, read by eyes that are not ours: those of `busctl monitor`.
struct BusMonitor: Sendable {
  private let program: RunningProgram
  /// In the bus's order, until ``stop()``.
  let messages: AsyncStream<BusMessage>

  /// Returns once it listens.
  ///
  /// - Parameters:
  ///   - client: whose answers are heard as well, by its unique name; they are many.
  ///   - everybody: whether the coming and going of all is heard, not of BlueZ alone.
  static func start(
    _ bus: BusAddress,
    client: String? = nil,
    everybody: Bool = false
  ) async throws -> BusMonitor {
    var rules = [
      "type='method_call',path_namespace='/org/bluez'", "type='signal',path_namespace='/org/bluez'",
      "type='signal',path='/',sender='org.bluez'",
      "type='signal',member='NameOwnerChanged'" + (everybody ? "" : ",arg0='org.bluez'"),
    ]
    if let client {
      rules += [
        "type='method_return',destination='\(client)'", "type='error',destination='\(client)'",
        "type='method_call',sender='\(client)'",
      ]
    }
    // busctl says that it listens, or as of systemd 257 nothing at all. But the bus takes its name away then:
    // whenever a name goes, a call of ours follows, which a monitor hears.
    let herald = try await Connection.open(bus)
    rules.append("type='method_call',sender='\(herald.uniqueName)'")
    let gone = try await herald.subscribe(
      to: [MatchRule(sender: Bus.name, interface: Bus.name, member: "NameOwnerChanged")]
    )
    let heralding = Task {
      for await signal in gone where signal.arguments.last == .string("") {
        _ = try? await herald.call(Bus.call("GetId"), within: Setups.patience)
      }
    }
    let option = if case .address(let address) = bus { "--address=\(address)" } else { "--system" }
    let options = ([option] + rules.map { "--match=\($0)" }).map { "\"\($0)\"" }
    let program = try RunningProgram(
      [],
      script: "exec busctl \(options.joined(separator: " ")) monitor --json=short 2>&1"
    )
    let monitor = BusMonitor(program, herald: herald.uniqueName)
    do {
      let news = try await monitor.first.next("what busctl monitor says first") { _ in true }
      guard let news else { throw CannotBePlayed(description: "busctl monitor ended at once") }
      guard news.hasPrefix("Monitoring") || BusMessage(json: news) != nil else {
        throw CannotBePlayed(description: "busctl monitor said: \(news)")
      }
    } catch {
      await monitor.stop()
      heralding.cancel()
      await herald.close()
      throw error
    }
    heralding.cancel()
    await herald.close()
    return monitor
  }

  /// Its first line, or nil when it has ended.
  private let first = Journal<String?>()

  private init(_ program: RunningProgram, herald: String) {
    self.program = program
    let (messages, continuation) = AsyncStream<BusMessage>.makeStream()
    self.messages = messages
    Task { [first] in
      var isFirst = true
      for await line in program.lines {
        if isFirst { await first.append(line) }
        if let message = BusMessage(json: line) {
          if !message.isOf(herald) { continuation.yield(message) }
        } else if !isFirst {
          // It must not go unseen: whoever looks for this message will not find it.
          print("busctl monitor: \(line)")
        }
        isFirst = false
      }
      if isFirst { await first.append(nil) }
      continuation.finish()
    }
  }

  func stop() async {
    program.send(signal: 15)
    _ = await program.result()
  }
}

/// A D-Bus message as `busctl monitor --json=short` prints it.
struct BusMessage: Sendable {
  enum Kind: String {
    case call = "method_call"
    case reply = "method_return"
    case error
    case signal
  }

  var type: Kind
  var cookie: Int
  var replyCookie: Int?
  var sender: String?
  var destination: String?
  var path: String?
  var interface: String?
  var member: String?
  var errorName: String?
  var arguments: [BusValue]

  /// Whether a client sent it, or it is about the client's coming and going.
  func isOf(_ client: String) -> Bool {
    sender == client || (member == "NameOwnerChanged" && arguments.first?.string == client)
  }

  /// nil for what is no message.
  ///
  /// (By JSONSerialization: a decoder tries types one after the other, at the cost of an error each,
  /// and the box is slow.)
  init?(json: String) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)),
      let message = BusValue(object).object, let type = message["type"]?.string,
      let kind = Kind(rawValue: type), let cookie = message["cookie"]?.number
    else { return nil }
    self.type = kind
    self.cookie = Int(cookie)
    replyCookie = message["reply_cookie"]?.number.map { Int($0) }
    sender = message["sender"]?.string
    destination = message["destination"]?.string
    path = message["path"]?.string
    interface = message["interface"]?.string
    member = message["member"]?.string
    errorName = message["error_name"]?.string
    arguments = message["payload"]?.object?["data"]?.array ?? []
  }
}

/// A value in busctl's JSON. A variant is an object of `type` and `data`.
enum BusValue: Hashable, Sendable {
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([BusValue])
  case object([String: BusValue])
  case null

  /// - Parameter value: what JSONSerialization makes.
  init(_ value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let number as NSNumber:
      // Booleans are numbers too, of a type of their own.
      let isBool = String(cString: number.objCType) == "c"
      self = isBool ? .bool(number.boolValue) : .number(number.doubleValue)
    case let values as [Any]: self = .array(values.map(BusValue.init))
    case let values as [String: Any]: self = .object(values.mapValues(BusValue.init))
    default: self = .null
    }
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var array: [BusValue]? { if case .array(let value) = self { value } else { nil } }
  var object: [String: BusValue]? { if case .object(let value) = self { value } else { nil } }

  /// What is in a variant.
  var variant: BusValue? { object?["data"] }
}
