import Host
package import MachineLink
import Programs

extension StopDebts {
  /// The debts in the user's state directory; warnings go to standard error.
  package init(of subcommand: String) {
    let warn: @Sendable (String) -> Void = {
      Output.complain("ballmachine \(subcommand): warning: \($0)")
    }
    do throws(StateDirectoryError) {
      self.init(in: try StateDirectory(), warn: warn)
    } catch {
      self.init(in: nil, warn: warn)
      warn("an owed stop command can't be recorded: \(error)")
    }
  }
}
