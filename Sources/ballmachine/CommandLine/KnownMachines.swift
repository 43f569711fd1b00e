import ControlProtocol
import Host
import MachineLink
import Programs

/// What earlier runs know of machines, in the user's state directory.
struct KnownMachines: Sendable {
  let memory: MachineMemory
  let adopted: AdoptedMachines
  let left: LeftLinks

  /// - Parameter subcommand: whose warnings go to standard error.
  init(of subcommand: String) {
    let warn: @Sendable (String) -> Void = {
      Output.complain("ballmachine \(subcommand): warning: \($0)")
    }
    // The memory says what is wrong with the directory.
    let directory = try? StateDirectory()
    memory = MachineMemory(warn: warn)
    adopted = AdoptedMachines(in: directory, warn: warn)
    left = LeftLinks(in: directory)
  }

  /// Keeps what the link shows, until it has ended or the task is cancelled.
  func follow(_ link: BallMachineLink) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [memory] in await memory.follow(link) }
      group.addTask { [left] in await left.follow(link) }
    }
  }

  /// Keeps a machine that a person has adopted.
  func keep(_ machine: AdoptedMachine) async throws(ControlError) {
    do throws(StateFileError) { try await adopted.adopt(machine) } catch {
      throw ControlError(.unavailable, "not adopted, since it can't be kept: \(error)")
    }
  }

  /// Keeps what the link shows at its end.
  func keepAtEnd(_ status: LinkStatus) async {
    await memory.keepAtEnd(status.proven)
    await left.keepAtEnd(status.made)
  }
}
