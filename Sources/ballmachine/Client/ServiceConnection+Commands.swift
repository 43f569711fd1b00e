import ControlProtocol
import CourtLogic
import JSON
import Programs
import Reports
import Safety

// Commands by hand, and those of the table in force.

extension ServiceConnection {
  /// Sends a command that the user has confirmed. A stop goes through ``StopReport/perform(_:)``.
  func send(_ command: MachineCommand) async throws -> SendReport {
    do {
      let answer = try await ask(.send(.command(command)), for: EventRecord.self)
      guard case .manual(let sent) = answer.event else { throw notUnderstood }
      let link = await link()
      return SendReport(
        t: answer.t,
        time: answer.time,
        through: "service",
        mode: link?.mode,
        machine: link?.machine,
        machineText: link?.machineText,
        profile: link?.profile,
        characteristic: link?.characteristic,
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

  /// A command by hand, and the zones that have it at any level, by the service's table; nil: the
  /// service takes it for a stop.
  ///
  /// - Throws: also what sending would, if this user may not.
  func ball(_ ball: ControlRequest.ManualCommand) async throws -> (MachineCommand, [Zone])? {
    // Every user may stop.
    if case .command(let command) = ball, command.isStop { return nil }
    // Readers may look up which command is a stop.
    try requireToSend(.reader)
    let table = try await table()
    let command: MachineCommand
    switch ball {
    case .command(let given): command = given
    case .zone(let zone):
      guard let text = table.commands["\(zone)"] else {
        throw Failure(.internalError, "the service has no command for the zone \(zone)")
      }
      command = try MachineCommand(text: text)
    }
    guard !command.isStop, command.text != table.stopCommand else { return nil }
    try requireToSend(.technician)
    let names = table.entries.filter { $0.value == command.text }.keys
    return (command, Zone.allCases.filter { zone in names.contains { $0.hasPrefix("\(zone)") } })
  }

  /// A user with a lesser role gets the error that sending would get, not the table's.
  private func requireToSend(_ role: ControlRole) throws {
    let hello = client.hello
    guard hello.role < role, let group = hello.groups?[ControlMethod.send.role.rawValue] else {
      return
    }
    throw ControlClientError.failed(ControlError.forbidden(.send, group: group))
  }

  func table() async throws -> TableRecord { try await ask(.table) }
}
