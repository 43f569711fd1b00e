package import Configuration
package import ControlProtocol
import Host
package import MachineLink
import Programs

/// What earlier runs know of machines, in the user's state directory.
package struct KnownMachines: Sendable {
  package let memory: MachineMemory
  package let adopted: AdoptedMachines
  package let left: LeftLinks

  /// - Parameter subcommand: whose warnings go to standard error.
  package init(of subcommand: String) {
    let warn: @Sendable (String) -> Void = {
      Output.complain("ballmachine \(subcommand): warning: \($0)")
    }
    // The memory says what is wrong with the directory.
    let directory = try? StateDirectory()
    memory = MachineMemory(warn: warn)
    adopted = AdoptedMachines(in: directory, warn: warn)
    left = LeftLinks(in: directory)
  }

  /// How the link finds the machine, including one that an earlier run remembered.
  ///
  /// - Parameters:
  ///   - forgets: whether the machine of the last good link is forgotten first.
  ///   - debts: the stop commands that earlier programs owe: each goes to its machine.
  package func link(
    for settings: MachineSettings,
    forgetting forgets: Bool,
    owing debts: [StopDebt] = []
  ) async -> LinkConfiguration {
    if forgets { await memory.forget() }
    var link = settings.link
    link.remembered = forgets ? [] : await memory.recall()
    link.adopted = await adopted.recall()
    link.leftLink = await left.recall()
    link.owedStops = debts
    return link
  }

  /// Keeps what the link shows, until it has ended or the task is cancelled.
  package func follow(_ link: BallMachineLink) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [memory] in await memory.follow(link) }
      group.addTask { [left] in await left.follow(link) }
    }
  }

  /// Keeps a machine that a person has adopted.
  package func keep(_ machine: AdoptedMachine) async throws(ControlError) {
    do throws(StateFileError) { try await adopted.adopt(machine) } catch {
      throw ControlError(.unavailable, "not adopted, since it can't be kept: \(error)")
    }
  }

  /// Keeps what the link shows at its end.
  package func keepAtEnd(_ status: LinkStatus) async {
    await memory.keepAtEnd(status.proven)
    await left.keepAtEnd(status.made)
  }
}
