import ControlProtocol
import CourtLogic
import JSON
import Programs
import Safety

// Commands by hand, and those of the table in force.

extension ServiceConnection {
  /// Sends a command that the user has confirmed. A stop goes through ``StopReport/perform(_:)``.
  func send(_ command: MachineCommand) async throws -> SendReport {
    do {
      let answer = try await ask(.send(.command(command)), for: EventRecord.self)
      guard case .manual(let sent) = answer.event else { throw notUnderstood }
      return SendReport(
        t: answer.t,
        time: answer.time,
        through: "service",
        mode: mode,
        number: sent.number,
        command: sent.command,
        outcome: sent.outcome,
        latency: sent.latency,
        answer: sent.answer
      )
    } catch ControlClientError.lost, ControlClientError.silent {
      throw Failure(
        .temporary,
        "the service has not said what became of the command; sending it again may throw a"
          + " second ball"
      )
    }
  }

  /// The link, before a person is asked whether the court is clear: there must be something to ask.
  func linkForQuestion() async throws -> LinkRecord {
    let status = try await ask(.status, for: StatusRecord.self)
    guard status.safety.state != "stopped" else {
      throw Failure(.temporary, "\(SafetyRefusal.stopLatched)")
    }
    guard status.link.isReady else {
      let trouble = status.link.trouble ?? "try again when it is"
      throw Failure(.temporary, "the machine is not connected: \(trouble)")
    }
    return status.link
  }

  func command(of zone: Zone) async throws -> MachineCommand {
    let table = try await tableForSending(as: .reader)
    guard let text = table.commands["\(zone)"] else {
      throw Failure(.internalError, "the service has no command for the zone \(zone)")
    }
    return try MachineCommand(text: text)
  }

  /// The zones that have, at any level, a command that is to be sent; throws if this user may not send it.
  func zones(of command: MachineCommand) async throws -> [Zone] {
    let table = try await tableForSending(as: .technician)
    let names = table.entries.filter { $0.value == command.text }.keys
    return Zone.allCases.filter { zone in names.contains { $0.hasPrefix("\(zone)") } }
  }

  /// Whether the service takes this command for a stop.
  func isStop(_ command: MachineCommand) async throws -> Bool {
    if command.isStop { return true }
    return try await tableForSending(as: .reader).stopCommand == command.text
  }

  /// The table, for a command by hand.
  ///
  /// - Parameter role: readers may look up which command is a stop, which every user may send. A
  ///   user with a lesser role gets the error that sending would get, not the table's.
  private func tableForSending(as role: ControlRole) async throws -> TableRecord {
    let hello = client.hello
    if hello.role < role, let group = hello.groups?[ControlMethod.send.role.rawValue] {
      throw ControlClientError.failed(ControlError.forbidden(.send, group: group))
    }
    return try await table()
  }

  func table() async throws -> TableRecord { try await ask(.table) }
}
