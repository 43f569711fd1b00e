import Host
import JSON
import MockMachine
import Options
import Programs

/// `ballmachine mock`: the mock machine alone, on any bus.
struct Mock: Subcommand {
  var machine = MachineOptions()
  var script: String?
  var encoding = MockEncoding.digits
  var checkByte = MockCheckByte.modbus
  var bluez = MockVersion.standard

  static let usage = Usage<Self>(
    name: "mock",
    summary: "Run a mock machine behind a fake BlueZ on a bus",
    options: [MachineOptions.busOption.within(\.machine)] + [
      .value(
        "script",
        .text("FILE"),
        \.script,
        "Read fault verbs from this file instead of standard input"
      ),
      .value(
        "encoding",
        .choice("ENCODING"),
        \.encoding,
        "What the machine takes for a command: digits (default) or framed, which it answers"
      ),
      .value(
        "check-byte",
        .choice("CHECK"),
        \.checkByte,
        "Of a framed machine's commands and answers: modbus (default) or xor"
      ),
      .value(
        "bluez",
        .choice("VERSION"),
        \.bluez,
        "Which BlueZ it plays: 5.66 (Debian 12), 5.82 (default, Debian 13) or 5.87"
      ),
    ],
    details: """
      Owns the name org.bluez, so it needs a bus without bluetoothd, such as a private one. \
      The verb `help' on standard input lists the verbs. Ends on SIGINT, SIGTERM and `quit'.

      For example, in a shell with a private bus:

        dbus-run-session bash
        ballmachine mock --bus session </dev/null &
        ballmachine scan --bus session
      """
  )

  func run(_ output: Output) async throws {
    let verbs = try script.map(read)
    let peripheral = MockPeripheral(encoding: encoding, checkByte: checkByte)
    let mock = MockBlueZ(
      bus: machine.bus ?? "system",
      model: MockModel(peripherals: [peripheral]),
      version: bluez
    )
    do { try await mock.start() } catch {
      throw Failure(.unavailable, error)
    }
    let signals = try endSignals()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await mock.run() }
      group.addTask {
        for await _ in signals { await mock.stop() }
      }
      group.addTask {
        if let verbs {
          await perform(verbs, on: mock)
        } else {
          await performInput(on: mock)
        }
      }
      do {
        for await event in mock.events { try await output.write(MockEventReport(event: event)) }
      } catch {
        await mock.stop()
        throw error
      }
      group.cancelAll()
    }
  }

  private func read(_ path: String) throws -> [MockVerb] {
    let bytes: [UInt8]?
    do { bytes = try InputFile.bytes(path, .named, longest: 1 << 20) } catch {
      throw Failure(.noInput, error)
    }
    guard let bytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.badData, "\(path): is not a text file of less than a megabyte")
    }
    do { return try MockScript.parse(text) } catch {
      throw Failure(.badData, "\(path):\(error.line):1: \(error.message)")
    }
  }

  private func perform(_ verbs: [MockVerb], on mock: MockBlueZ) async {
    for verb in verbs { await perform(verb, on: mock) }
  }

  private func performInput(on mock: MockBlueZ) async {
    var number = 0
    for await line in InputLines.standardInput {
      number += 1
      do {
        guard let verb = try MockVerb(parsing: line, number: number) else { continue }
        if verb == .help { Output.complain(TextReport(MockVerb.helpText).lines) }
        await perform(verb, on: mock)
      } catch {
        Output.complain("ballmachine mock", error)
      }
    }
  }

  private func perform(_ verb: MockVerb, on mock: MockBlueZ) async {
    do { try await mock.perform(verb) } catch is CancellationError {
      // The mock is ending.
    } catch {
      Output.complain("ballmachine mock: \(verb.name)", error)
    }
  }
}

/// An event in the mock.
struct MockEventReport: Report {
  var event: MockEvent

  func encode(to encoder: any Encoder) throws {
    try event.encode(to: encoder)
  }

  var text: String { "\(event.time.fixed(3))  \(what)" }

  private var what: String {
    switch event.kind {
    case .write(let write, let machine):
      "write \(machine.string) \(write.text ?? "\(write.value)") as \(write.form.rawValue)"
    case .called(let method, let adapter, let machine, let client):
      "call \(method)"
        + [adapter, machine?.string].compactMap(\.self).map { " \($0)" }.joined()
        + " from \(client)"
    case .connected(let machine, let adapter): "connected \(machine.string) on \(adapter)"
    case .resolved(let machine, let adapter): "resolved \(machine.string) on \(adapter)"
    case .disconnected(let machine, let adapter, let reason):
      "disconnected \(machine.string) on \(adapter): \(reason.rawValue)"
    case .appeared(let machine, let adapter): "appeared \(machine.string) on \(adapter)"
    case .removed(let machine, let adapter): "removed \(machine.string) on \(adapter)"
    case .discoveryFiltered(let adapter, let client, let transport):
      "discovery filter on \(adapter) for \(client): transport \(transport)"
    case .discoveryStarted(let adapter, let client):
      "discovery started on \(adapter) for \(client)"
    case .discoveryStopped(let adapter, let client):
      "discovery stopped on \(adapter) for \(client)"
    case .powered(let adapter, let isOn): "\(adapter) is \(isOn ? "on" : "off")"
    case .verb(let verb): "verb \(verb)"
    case .up: "org.bluez is up (SIM)"
    case .down: "org.bluez is down"
    }
  }
}
