extension MockVerb {
  /// The verb's first word.
  package var name: String {
    switch self {
    case .machine: "machine"
    case .addAdapter: "add-adapter"
    case .removeAdapter: "remove-adapter"
    case .power: "power"
    case .vanish: "vanish"
    case .appear: "appear"
    case .drop: "drop"
    case .newAddress: "new-address"
    case .link: "link"
    case .removeObject: "remove-object"
    case .pair: "pair"
    case .coalesceDrop: "coalesce-drop"
    case .fault(_, let fault, _): fault.name
    case .changeTable(_, _, let silently): silently ? "silent-table-change" : "change-table"
    case .notify: "notify"
    case .notifyBytes: "notify-bytes"
    case .garbage: "garbage"
    case .failMethod: "fail"
    case .hangMethod: "hang"
    case .delayMethod: "delay"
    case .timing: "timing"
    case .clearFaults: "clear-faults"
    case .restart: "restart"
    case .down: "down"
    case .up: "up"
    case .mark: "mark"
    case .advertiseFlood: "advertise-flood"
    case .wait: "wait"
    case .help: "help"
    case .quit: "quit"
    }
  }
}

extension MockFault {
  fileprivate var name: String {
    switch self {
    case .drop: "drop"
    case .refuseConnect: "refuse-connect"
    case .connectWithoutReply: "connect-no-reply"
    case .connectWithoutLink: "connect-success-without-link"
    case .flap: "flap"
    case .omitConnectedSignal: "omit-connected-signal"
    case .resolveFails: "resolve-fails"
    case .resolveHangs: "resolve-hangs"
    case .hangWrites: "hang-writes"
    case .failWrites: "fail-writes"
    case .failNotify: "fail-notify"
    case .slowNotify: "slow-notify"
    case .answers: "answers"
    case .lateAnswers: "late-answers"
    }
  }
}
