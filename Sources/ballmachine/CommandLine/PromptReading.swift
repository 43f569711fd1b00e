import Configuration
import Host
import MachineLink
import Options
import Programs
import Service

// What a command by hand reads: it must not wait for a disk that hangs.

/// How long a command by hand waits for a file's disk.
enum ReadingLimit {
  static let duration = Duration.seconds(3)
}

extension ConfigurationOptions {
  /// The machine that a stop command goes to, even if parts of the files are wrong.
  ///
  /// - Parameter program: the prefix of a warning about the files.
  /// - Throws: ``Failure`` if a disk does not answer: only the files say which machine is meant and
  ///   which command stops it.
  func machineToStop(_ options: MachineOptions, complaining program: String) async throws
    -> MachineSettings
  {
    do {
      let (machine, problem) = try await waiting(atMost: ReadingLimit.duration) { [file] in
        // A hanging disk must not block one of Swift's threads.
        try await WaitingThread.value {
          EffectiveConfiguration.machineToStop(
            from: ConfigurationFiles(main: file),
            override: options.override
          )
        }
      }
      if let problem { Output.complain("\(program): warning: \(problem)") }
      return machine
    } catch is TimeoutError {
      throw Failure(
        .inputOutput,
        "the configuration can't be read: its disk does not answer: use the machine's switch"
      )
    }
  }
}

extension MachineOptions {
  /// ``KnownMachines/link(for:forgetting:owing:)`` for a command that must not wait for a disk: it
  /// does without the memory if the settings name a machine.
  ///
  /// - Parameters:
  ///   - debts: where another bridge has their directory, its files stay as they are.
  ///   - owed: as there.
  /// - Throws: ``Failure`` if only the memory could name the machine.
  func promptLink(
    for settings: MachineSettings,
    with machines: KnownMachines,
    beside debts: StopDebts,
    owing owed: [StopDebt] = [],
    of subcommand: String
  ) async throws -> LinkConfiguration {
    do {
      return try await waiting(atMost: ReadingLimit.duration) { [self] in
        if await debts.isHeldElsewhere {
          await machines.memory.onlyLook()
          await machines.left.onlyLook()
        }
        return await machines.link(for: settings, forgetting: forgetsMachine, owing: owed)
      }
    } catch is TimeoutError {
      let trouble = "the disk of the state directory does not answer"
      guard settings.address != nil || settings.name != nil else {
        throw Failure(
          .inputOutput,
          "the machine is not known: \(trouble): give --address, or use the"
            + " machine's switch"
        )
      }
      Output.complain("ballmachine \(subcommand): warning: \(trouble): no machine is remembered")
      return settings.link
    }
  }
}

extension StopDebts {
  /// Whether a stop command may be owed; true if the disk does not answer.
  nonisolated func mayOwe(_ isOwed: @escaping @Sendable (StopDebts) async -> Bool) async -> Bool {
    (try? await waiting(atMost: ReadingLimit.duration) { await isOwed(self) }) ?? true
  }

  /// ``takeDirectory()`` for a command by hand; without the directory if the disk does not answer.
  nonisolated func takeDirectoryPromptly() async throws {
    do {
      try await waiting(atMost: ReadingLimit.duration) { try await self.takeDirectory() }
    } catch is TimeoutError {
      // The memory of the machine says so.
    }
  }
}
