import MockMachine
import TestSupport

/// A misfortune and when it happened.
struct Befallen: Hashable, Sendable {
  var time: Duration
  var verb: MockVerb

  init(_ time: Duration, _ verb: MockVerb) {
    self.time = time
    self.verb = verb
  }
}

/// What befell in a world, as `ballmachine mock --script FILE` plays it again.
struct MisfortuneScript: CustomStringConvertible {
  var world: MockWorld
  var misfortunes: [Befallen]

  /// One verb a line.
  var description: String {
    // The first adapter is there before the script is.
    var verbs = world.adapters.dropFirst().map { MockVerb.addAdapter($0) }
    verbs += world.peripherals.map { MockVerb.machine($0) }
    var time = Duration.zero
    for befallen in misfortunes {
      if befallen.time > time { verbs.append(.wait(befallen.time - time)) }
      time = befallen.time
      verbs.append(befallen.verb)
    }
    return verbs.map { $0.line ?? "# \($0)" }.joined(separator: "\n")
  }
}
