import Clocks
import CourtLogic
import MachineLink
import MockMachine

extension LinkScenario {
  /// Every way in which what the machine received contradicts what the link said.
  func contradictions() async -> [String] {
    var found: [String] = []
    let writes: [(text: String, time: Double)] = await fixture.events.entries.compactMap { event in
      guard case .write(let write, let machine) = event.kind, plan.ours.contains(machine) else {
        return nil
      }
      return (write.text ?? "\(write.value)", event.time)
    }
    for other in plan.others {
      if await !fixture.received(by: other).isEmpty { found.append("\(other) received something") }
      if await !fixture.calls(on: other).isEmpty { found.append("\(other) was called") }
    }
    found += await trespasses()
    let given = Dictionary(
      uniqueKeysWithValues: balls.map { (fixture.ball($0.number).text, $0) }
    )
    let leastInterval = fixture.encoding.kind.leastInterval.seconds
    var last: Given?
    for write in writes where write.text != fixture.stop {
      guard let ball = given[write.text] else {
        found.append("\(write.text) was received, and never given")
        continue
      }
      if let last {
        if last.number >= ball.number {
          found.append("ball \(ball.number) after ball \(last.number)")
        }
        // Both bounds are the link's favourable ones: it may have sent that later, and this earlier.
        if write.time < last.submitted.seconds + leastInterval {
          found.append("balls \(last.number) and \(ball.number) within \(leastInterval) s")
        }
        // What was answered late may have left late. A stop tells an outcome before the answer.
        if let ended = last.ended, last.outcome == .delivered || last.outcome == .queued,
          write.time < ended.seconds + leastInterval - 0.25
        {
          found.append("ball \(ball.number) too soon after the late outcome of \(last.number)")
        }
      }
      last = ball
    }
    if stops.isEmpty, writes.contains(where: { $0.text == fixture.stop }) {
      found.append("a stop that nobody asked for")
    }
    for ball in balls {
      let count = writes.count { $0.text == fixture.ball(ball.number).text }
      let isRight =
        switch ball.outcome {
        case nil: false
        case .delivered: count == 1
        case .notSent: count == 0
        case .queued, .unknown: count <= 1
        }
      if !isRight {
        let outcome = ball.outcome.map { "\($0)" } ?? "without an outcome"
        found.append("ball \(ball.number) is \(outcome), and arrived \(count) times")
      }
    }
    for (index, outcome) in stops.enumerated() {
      switch outcome {
      case nil: found.append("stop \(index) has no outcome")
      // While BlueZ takes an old table for the machine's, it queues what the machine ignores.
      case .queued where hadStaleTable: break
      case .delivered, .queued:
        if !writes.contains(where: { $0.text == fixture.stop }) {
          found.append("stop \(index) is \(outcome!), and none arrived")
        }
      default: break
      }
    }
    return found
  }

  private var hadStaleTable: Bool {
    injected.contains {
      if case .changeTable(_, _, silently: true) = $0.verb { true } else { false }
    }
  }

  /// What the link did to an adapter or a bond that is none of its business.
  private func trespasses() async -> [String] {
    var found: [String] = []
    var bonds = Bonds(of: plan.ours, verbs: injected.map(\.verb))
    for event in await fixture.events.entries {
      bonds.take(event)
      guard case .called(let method, let adapter?, _, _) = event.kind, !method.hasPrefix("Get")
      else { continue }
      if adapter == InjectedFault.spareAdapter.name, !plan.allowsOtherAdapter {
        found.append("\(method) on the spare adapter, which may not be used")
      }
      if method == "RemoveDevice", bonds.areAll(on: adapter, at: event.time) {
        found.append("a paired machine was removed")
      }
    }
    return found
  }
}

/// Which of the machine's device objects are bonded, as far as the events tell.
private struct Bonds {
  private struct Device: Hashable {
    var machine: MockAddress
    var adapter: String
  }

  private let machines: [MockAddress]
  /// What is left of the verbs `pair`.
  private var pairs: [Bool]
  private var devices: Set<Device> = []
  /// Since when.
  private var bonded: [Device: Double] = [:]

  init(of machines: [MockAddress], verbs: [MockVerb]) {
    self.machines = machines
    pairs = verbs.compactMap { if case .pair(_, let isOn) = $0 { isOn } else { nil } }
  }

  mutating func take(_ event: MockEvent) {
    switch event.kind {
    case .appeared(let machine, let adapter) where machines.contains(machine):
      devices.insert(Device(machine: machine, adapter: adapter))
    case .removed(let machine, let adapter):
      // The bond goes with the object.
      devices.remove(Device(machine: machine, adapter: adapter))
      bonded[Device(machine: machine, adapter: adapter)] = nil
    case .down:
      devices = []
      bonded = [:]
    case .verb("pair"):
      if pairs.removeFirst() {
        for device in devices where bonded[device] == nil { bonded[device] = event.time }
      } else {
        bonded = [:]
      }
    default: break
    }
  }

  /// Whether all of them on this adapter have been bonded for a second, which is long enough to be
  /// known to everybody: then so is the one that is removed, whichever it is.
  func areAll(on adapter: String, at time: Double) -> Bool {
    let here = devices.filter { $0.adapter == adapter }
    return !here.isEmpty && here.allSatisfy { bonded[$0].map { $0 + 1 < time } ?? false }
  }
}
