import BlueZ
import Clocks
import ControlProtocol
import CourtLogic
import MachineLink

// A scenario in words.

extension Scenario {
  /// The setting, then a line for each step.
  var told: String {
    let lines = steps.enumerated().map { "\($0 + 1). \($1.told)" }
    let end = recovers ? "all is mended, and the link has 15 minutes" : "the link is asked to end"
    return ([setting.told] + lines + ["then \(end)"]).joined(separator: "\n")
  }
}

extension Scenario.Setting {
  var told: String {
    var words = ["machine known by \(knowledge)", "flags \(flags.joined(separator: ","))"]
    if startsService { words.append("may start bluetoothd") }
    if allowsPowerCycle { words.append("may cycle power") }
    if hasUselessAdapter { words.append("another adapter can't serve") }
    if allowsOtherAdapter { words.append("may take another adapter") }
    return words.joined(separator: ", ")
  }
}

extension Step {
  var told: String {
    guard after > .zero else { return what.told }
    let passing = clock == .flows ? "after" : "after the box \(clock) for"
    return "\(passing) \(after): \(what.told)"
  }
}

extension Happening {
  fileprivate var told: String {
    switch self {
    case .start: "started"
    case .submit(let age): age > .zero ? "a command, \(age) old" : "a command"
    case .stop: "a stop command"
    case .end: "asked to end"
    case .answer(let index, let answer): "answer to open operation \(index): \(answer.told)"
    case .staleAnswer(let index): "answer to operation given up \(index)"
    case .staleTimer(let index): "timer that was cancelled \(index)"
    case .staleLevels: "levels that are old"
    case .say(let saying, let isUnread):
      "the machine says\(isUnread ? " before the last answer" : ""): \(saying)"
    case .change(let change, let isHidden): "\(change)" + (isHidden ? ", not told yet" : "")
    }
  }
}

extension Answer {
  fileprivate var told: String {
    switch self {
    case .success: "success"
    case .failure(let failure): failure.rawValue
    case .failureAfterAll(let failure): "\(failure.rawValue), but it was done"
    case .emptySuccess: "success, but nothing was done"
    case .silence: "none, but it was done"
    }
  }
}

extension ScenarioRun {
  static func line(
    _ event: LinkEvent,
    _ kind: EventKind,
    _ actions: [LinkAction],
    from before: LinkStatus.Phase,
    to after: LinkStatus.Phase,
    at now: MonotonicInstant
  ) -> String {
    var line = "\(now.seconds) \(before) × \(kind.name)"
    switch event {
    case .levelsChanged(let state): line += " (\(state.told))"
    case .finished(let id, let error, _): line += " #\(id.told) \(error?.description ?? "")"
    case .submitted(let id, _, _), .stopRequested(let id): line += " command \(id.number)"
    case .notified(let bytes, let receipt): line += " \(bytes), received as \(receipt)"
    case .adopted(let machine): line += " \(machine.address)"
    case .started, .fired, .endRequested: break
    }
    return line + " → \(after)" + actions.map { "\n      \($0.told)" }.joined()
  }
}

extension BlueZState {
  fileprivate var told: String {
    guard isBusConnected else { return "no bus" }
    guard let owner else { return "no bluetoothd" }
    guard let tree else { return "\(owner), not read" }
    let adapters = tree.adaptersInOrder.map { "\($0.path) \($0.isPowered ? "on" : "off")" }
    let devices = tree.devices.values.sorted { $0.path < $1.path }.map { device in
      var words = ["\(device.path)"]
      if device.rssi != nil { words.append("heard") }
      if device.isConnected { words.append("connected") }
      if device.areServicesResolved { words.append("resolved") }
      if !tree.table(of: device.path).isEmpty { words.append("with its table") }
      return words.joined(separator: " ")
    }
    return ([owner] + adapters + devices).joined(separator: "; ")
  }
}

extension OperationID {
  /// Only the number is of interest, and it is the machine's own affair.
  fileprivate var told: String { "\(self)".filter(\.isNumber) }
}

extension LinkAction {
  fileprivate var told: String {
    switch self {
    case .begin(let id, let operation): "#\(id.told) \(operation)"
    case .abandon(let id): "give up #\(id.told)"
    case .setTimer(let timer, let instant): "timer \(timer.purpose) at \(instant.seconds)"
    case .cancelTimer(let timer): "no timer \(timer.purpose)"
    case .resolve(let id, let outcome): "command \(id.number) is \(outcome)"
    case .answered(let id, let answer): "command \(id.number) is answered: \(answer)"
    case .publish(let status): "status \(status.phase), \(status.fault?.reason ?? "no fault")"
    case .ended: "ended"
    }
  }
}
