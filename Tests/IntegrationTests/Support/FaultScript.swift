import MockMachine
import TestSupport

/// A fault and when it happened.
struct Injected: Hashable, Sendable {
  var time: Duration
  var verb: MockVerb

  init(_ time: Duration, _ verb: MockVerb) {
    self.time = time
    self.verb = verb
  }
}

/// What happened, as `ballmachine mock --script FILE` plays it again.
struct FaultScript: CustomStringConvertible {
  var model: MockModel
  var faults: [Injected]

  /// One verb a line.
  var description: String {
    // The first adapter is there before the script is.
    var verbs = model.adapters.dropFirst().map { MockVerb.addAdapter($0) }
    verbs += model.peripherals.map { MockVerb.machine($0) }
    var time = Duration.zero
    for injected in faults {
      if injected.time > time { verbs.append(.wait(injected.time - time)) }
      time = injected.time
      verbs.append(injected.verb)
    }
    return verbs.map { $0.line ?? "# \($0)" }.joined(separator: "\n")
  }
}
