import ControlProtocol
import Glibc
import Host
import Programs

/// `ballmachine console`: a technician's prompt.
struct Console: Subcommand {
  var yes = false
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "console",
    summary: "Control the service from a technician's prompt",
    options: [
      .flag("yes", short: "y", \.yes, "Don't ask before sending a command")
    ] + ServiceOptions.options.within(\.service),
    details: """
      At the prompt:

      \(ConsoleVerb.help.joined(separator: "\n"))

      The prompt says SIM for a mock machine and REAL for one that throws balls. The Tab key \
      completes verbs and zones; the history is kept for the next time. A ZONE is 0 to 15, or \
      row-column such as 1-1. A ball that comes too soon after the last one waits, and pauses \
      feeding. It is not sent any more once the session's state changes (a stop, also one that was \
      reset, a pause, a `disarm'), the console stood still, Ctrl-C is pressed, or a line is typed: \
      `stop' then stops, at once; no other line is carried out. At the prompt Ctrl-C clears the \
      line, and leaves if that is empty.

      Of several lines that are pasted together, only a `stop' is carried out.

      Without a terminal it reads the same lines from standard input, one after the other (a \
      `stop', too, waits for its turn), and ends with the first that fails or is interrupted. \
      For pauses and loops, write a shell script of `ballmachine send' and `sleep'. It needs a \
      running service; the user's groups decide which verbs are allowed.
      """
  )

  func run(_ output: Output) async throws {
    let service: ServiceConnection
    do { service = try await .open(self.service) } catch let error as ControlClientError {
      let place = self.service.simulate ? " --simulate" : ""
      throw Failure(
        ExitCode(for: error),
        "\(error). No line was carried out: to stop the machine, run `ballmachine stop\(place)'"
      )
    }
    let interruption = Interruption()
    let editor = ConsoleInput.editor()
    // Ctrl-C may interrupt only a command or a line, not the console.
    let signals = try endSignals(lastSignals: [SIGTERM, SIGQUIT])
    let mode = TerminalMode()
    // Ctrl-C leaves the line editor in the middle of a line.
    defer { mode?.restore() }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for await number in signals {
          guard number == SIGINT, interruption.interrupt() || editor?.interrupt() == true else {
            return
          }
        }
      }
      group.addTask { [yes] in
        let loop = ConsoleLoop(
          service: service,
          output: output,
          isConfirmed: yes,
          interruption: interruption,
          input: .standard(editor)
        )
        try await loop.run()
      }
      let end = await group.nextResult()
      OutputThread.shared.hurry()
      group.cancelAll()
      try end?.get()
      // A loop that a signal ends may have an error to tell.
      try await group.waitForAll()
    }
  }
}
