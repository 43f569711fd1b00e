import BlueZ
import Clocks
import Configuration
import ControlProtocol
import Host
import JSON
import TestSupport
import Testing
import Training

@testable import Bridge
@testable import CourtLogic
@testable import MachineLink
@testable import RunLog
@testable import Safety

/// The records of the service as JSON, byte for byte: programs of others read them.
///
/// `EventRecordTests` has the events of commands, stops and the feed.
struct GoldenLineTests {
  private static let start = MonotonicInstant.start
  private static let now = start.advanced(by: .seconds(100))
  private static let digits = "110001060014004500"
  private static let clock = SystemClock()

  private static let texts = ControlTexts(version: "1.2.3", clock: clock) {
    StatusRecord.Configuration(
      files: ["/etc/ballmachine/config.yaml"],
      loaded: WallTime(secondsSince1970: 1_795_269_600),
      reason: "line 3: “café” isn't\ta number"
    )
  }

  private func line(_ value: some Encodable) throws -> String {
    text(try JSONEncoding.line(value))
  }

  private func line(_ event: BridgeEvent) throws -> String {
    let record = EventRecord(event, at: Self.now) {
      WallTime(secondsSince1970: 1_795_269_600 + Int($0.seconds))
    }
    _ = text(ControlMessage.notification("event", record))
    return try line(record)
  }

  private static let link: LinkStatus = {
    var status = LinkStatus(since: now)
    status.phase = .backingOff
    status.machine = BluetoothAddress("F0:F1:F2:F3:F4:F5")
    status.machineName = "Court 7 \"N\\S\" / 🎾"
    status.isChosenByMemory = true
    status.isSimulated = false
    status.adapter = .init(
      address: BluetoothAddress("AA:BB:CC:DD:EE:01"),
      name: "hci0",
      condition: .on
    )
    status.failures = 2
    status.fault = .connectTimedOut
    status.nextAttempt = now.advanced(by: .seconds(2.25))
    status.signal = .init(rssi: -60, heardAt: now.advanced(by: .seconds(-9.125)))
    return status
  }()

  private static func decision(zone: Zone?) throws -> Decision {
    Decision(
      time: now,
      due: now,
      position: try PlayerPosition(x: 4.123_45, y: 9.8),
      sampleCount: 30,
      zone: zone,
      command: try MachineCommand(digits: digits)
    )
  }

  private static func safety(_ state: SafetyState) -> SafetyStatus {
    var status = SafetyStatus(state: state, since: now)
    status.balls = 17
    return status
  }

  private static let summary: BridgeSummary = {
    var summary = BridgeSummary()
    summary.duration = .milliseconds(61_250)
    summary.counts.positions = 1_500
    summary.counts.badLines = 2
    summary.counts.otherPositions = 3
    summary.counts.droppedPositions = 4
    summary.counts.refusedFeeders = 5
    summary.counts.dispatches = 3
    for id in [1, 13] { summary.counts.byZone["\(Zone(id: id)!)"] = id }
    summary.counts.outOfCourt = 1
    summary.isSimulated = true
    summary.stop = .confirmed
    summary.count(.delivered, after: .milliseconds(47))
    summary.count(.queued, after: .microseconds(50_125))
    summary.count(.notSent(.linkLost), after: .zero)
    summary.count(.unknown(.timedOut), after: .zero)
    return summary
  }()

  // MARK: Events

  @Test func theLink() throws {
    #expect(
      try line(.link(Self.link)) == #"""
        {"adapter":"AA:BB:CC:DD:EE:01","adapterName":"hci0","adapterState":"on","attempt":3,\#
        "code":"connectTimedOut","event":"link","failures":2,"machine":"F0:F1:F2:F3:F4:F5","mode":"REAL","name":"Court 7 \#
        \"N\\S\" / 🎾","nextAttempt":102.25,"reason":"connecting took too long","remedy":"check \#
        that the machine is on and near, and not connected to a phone; if another machine is \#
        meant, name it with --address, or start once with --forget-machine","remembered":true,\#
        "rssi":-60,"rssiAge":9.125,"since":"2026-11-21T14:01:40Z","state":"backingOff","t":100,\#
        "time":"2026-11-21T14:01:40.000Z"}
        """#
    )
    var status = Self.link
    status.phase = .ready
    status.profile = "ball-machine"
    status.mayUseClassicBluetooth = true
    status.failures = 0
    status.nextAttempt = nil
    #expect(
      try line(.link(status)) == #"""
        {"adapter":"AA:BB:CC:DD:EE:01","adapterName":"hci0","adapterState":"on","event":"link",\#
        "machine":"F0:F1:F2:F3:F4:F5","mode":"REAL","name":"Court 7 \"N\\S\" / 🎾",\#
        "profile":"ball-machine","remembered":true,"rssi":-60,"rssiAge":9.125,\#
        "since":"2026-11-21T14:01:40Z","state":"ready","t":100,"time":"2026-11-21T14:01:40.000Z",\#
        "warning":"the adapter may also use classic Bluetooth"}
        """#
    )
  }

  @Test func aFramedMachinesNotifications() throws {
    var status = Self.link
    status.phase = .ready
    status.fault = nil
    status.nextAttempt = nil
    status.failures = 0
    status.signal = nil
    status.answers = .unheard("refused")
    status.oddAnswers.late = 1
    status.oddAnswers.doubled = 2
    status.oddAnswers.unasked = 3
    status.oddAnswers.malformed = 4
    status.oddAnswers.wrongCheckByte = 5
    status.oddAnswers.otherCheckByte = 6
    #expect(
      try line(.link(status)) == #"""
        {"adapter":"AA:BB:CC:DD:EE:01","adapterName":"hci0","adapterState":"on","event":"link",\#
        "machine":"F0:F1:F2:F3:F4:F5","mode":"REAL","name":"Court 7 \"N\\S\" / 🎾",\#
        "notifications":{"doubled":2,"late":1,"malformed":4,"on":false,"otherCheckByte":6,\#
        "reason":"refused","unasked":3,"wrongCheckByte":5},"remembered":true,\#
        "since":"2026-11-21T14:01:40Z","state":"ready","t":100,"time":"2026-11-21T14:01:40.000Z"}
        """#
    )
    status.answers = .heard
    status.oddAnswers = AnswerOddities()
    #expect(try line(.link(status)).contains(#""notifications":{"on":true}"#))
  }

  @Test func safety() throws {
    #expect(
      try line(.safety(Self.safety(.disarmed(.atStart)))) == #"""
        {"balls":17,"code":"atStart","event":"safety","holds":[],"reason":"every start is \#
        disarmed","state":"disarmed","t":100,"time":"2026-11-21T14:01:40.000Z"}
        """#
    )
    var held = Self.safety(.live)
    held.holds = [.behindNet, .nearNet(limit: 0.5)]
    #expect(
      try line(.safety(held)) == #"""
        {"balls":17,"event":"safety","holds":[{"code":"behindNet","reason":"a person is on the \#
        machine's side of the net"},{"code":"nearNet","reason":"the player is nearer to the net \#
        than 0.5 m"}],"state":"live","t":100,"time":"2026-11-21T14:01:40.000Z"}
        """#
    )
    let countdown = SafetyState.countdown(until: Self.now.advanced(by: .seconds(2.5)), .arming)
    #expect(
      try line(.safety(Self.safety(countdown))) == #"""
        {"balls":17,"code":"arming","event":"safety","holds":[],"reason":"balls fly when it ends",\#
        "remaining":2.5,"state":"countdown","t":100,"time":"2026-11-21T14:01:40.000Z"}
        """#
    )
    #expect(
      try line(.safety(Self.safety(.paused(.manual)))) == #"""
        {"balls":17,"code":"manual","event":"safety","holds":[],"reason":"a command was sent by \#
        hand","state":"paused","t":100,"time":"2026-11-21T14:01:40.000Z"}
        """#
    )
    #expect(
      try line(.safety(Self.safety(.stopped(nil)))) == #"""
        {"balls":17,"event":"safety","holds":[],"reason":"the stop command is on its way",\#
        "state":"stopped","stop":{"outcome":"pending"},"t":100,"time":"2026-11-21T14:01:40.000Z"}
        """#
    )
    #expect(
      try line(.safety(Self.safety(.stopped(.unconfirmed)))) == #"""
        {"balls":17,"event":"safety","holds":[],"reason":"the stop command was written, but not \#
        acknowledged: look at the machine, and use its switch","state":"stopped",\#
        "stop":{"outcome":"unconfirmed","reason":"the stop command was written, but not \#
        acknowledged: look at the machine, and use its switch"},"t":100,\#
        "time":"2026-11-21T14:01:40.000Z"}
        """#
    )
  }

  @Test func decisionsThatCameToNothingAndCommandsByHand() throws {
    let held = HeldRecord(
      decision: DecisionRecord(try Self.decision(zone: Zone(id: 13))),
      holds: [SafetyRecord.Hold(.notSeen)]
    )
    #expect(
      try line(.record(.held(held), at: Self.now)) == #"""
        {"command":"110001060014004500","event":"held","holds":[{"code":"notSeen",\#
        "reason":"no player is seen"}],"samples":30,"t":100,"time":"2026-11-21T14:01:40.000Z","x":4.1235,"y":9.8,"zone":"3-1"}
        """#
    )
    let manual = ManualRecord(
      number: 1,
      command: Self.digits,
      outcome: OutcomeRecord(.unknown(.timedOut)),
      latency: 0.047
    )
    #expect(
      try line(.record(.manual(manual), at: Self.now)) == #"""
        {"command":"110001060014004500","event":"manual","latency":0.047,"number":1,\#
        "outcome":"unknown","reason":"no answer within the deadline",\#
        "remedy":"switch the machine off and on","t":100,"time":"2026-11-21T14:01:40.000Z"}
        """#
    )
    var answer = AnswerRecord(number: 7, to: "dispatch", answer: "completed", latency: 0.375)
    #expect(
      try line(.record(.answer(answer), at: Self.now)) == #"""
        {"answer":"completed","event":"answer","latency":0.375,"number":7,"t":100,\#
        "time":"2026-11-21T14:01:40.000Z","to":"dispatch"}
        """#
    )
    answer.to = "manual"
    answer.answer = "none"
    #expect(
      try line(.record(.answer(answer), at: Self.now)) == #"""
        {"answer":"none","event":"answer","latency":0.375,"number":7,"t":100,\#
        "time":"2026-11-21T14:01:40.000Z","to":"manual"}
        """#
    )
    #expect(
      try line(.dropped(12)) == #"""
        {"count":12,"event":"dropped","t":100,"time":"2026-11-21T14:01:40.000Z"}
        """#
    )
  }

  @Test func theSummary() throws {
    #expect(
      try line(SummaryRecord(BridgeSummary())) == #"""
        {"badLines":0,"byZone":{},"dispatches":0,"droppedPositions":0,"event":"summary",\#
        "latencies":{},"manualOutcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},\#
        "otherPositions":0,"outOfCourt":0,"outcomes":{"delivered":0,"notSent":0,"queued":0,\#
        "unknown":0},"positions":0,"seconds":0}
        """#
    )
    let record = SummaryRecord(Self.summary, machineReceived: [Self.digits])
    #expect(
      try line(record) == #"""
        {"badLines":2,"byZone":{"0-1":1,"3-1":13},"dispatches":3,"droppedPositions":4,\#
        "event":"summary",\#
        "latencies":{"max":0.050125,"p50":0.047103,"p90":0.050125,"p99":0.050125},\#
        "machineReceived":["110001060014004500"],\#
        "manualOutcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},"mode":"SIM",\#
        "otherPositions":3,"outOfCourt":1,\#
        "outcomes":{"delivered":1,"notSent":1,"queued":1,"unknown":1},"positions":1500,\#
        "refusedFeeders":5,"seconds":61.25,"stop":{"outcome":"confirmed","reason":"the machine has acknowledged the \#
        stop command"}}
        """#
    )
  }

  // MARK: The control socket

  @Test func theHello() {
    #expect(
      text(
        Self.texts.hello(role: .technician, groups: ControlSettings().groups, mode: "SIM")
      ) == #"""
        {"jsonrpc":"2.0","method":"hello","params":{"groups":{"operator":"ballmachine-operator",\#
        "reader":"ballmachine","technician":"ballmachine-technician"},"mode":"SIM","protocol":2,"role":"technician",\#
        "version":"1.2.3"}}
        """#
    )
    #expect(
      text(Self.texts.hello(role: .none, groups: [:], mode: nil)) == #"""
        {"jsonrpc":"2.0","method":"hello","params":{"groups":{},"mode":null,"protocol":2,"role":"none",\#
        "version":"1.2.3"}}
        """#
    )
  }

  /// One of six balls of a drill has left.
  private static let training: TrainingStatus = {
    let targets = WeightedTargets([.init(Target(Zone(id: 12)!)), .init(Target(Zone(id: 15)!))])
    let drill = Drill(
      name: "two-corners",
      level: .beginner,
      strategy: .plan([.init(targets), .init(WeightedTargets([.init(Target(Zone(id: 15)!))]))]),
      interval: .milliseconds(4_700),
      balls: 2,
      sets: 3
    )
    let progress = DrillProgress(drill, seed: 7).next(
      playerAt: Court().middle(of: .fallback),
      on: Court()
    ).1
    return TrainingStatus(
      plan: .drill(drill, seed: 7),
      interval: drill.interval,
      progress: progress,
      label: "Anna"
    )
  }()

  @Test func training() throws {
    #expect(
      try line(.training(Self.training)) == #"""
        {"aim":"plan","ball":1,"ballsPerSet":2,"drill":"two-corners","event":"training",\#
        "interval":4.7,"label":"Anna","level":"beginner","next":"3-3","seed":7,"set":1,"sets":3,"t":100,\#
        "time":"2026-11-21T14:01:40.000Z"}
        """#
    )
  }

  @Test func theStatus() throws {
    var snapshot = BridgeSnapshot(
      time: Self.now,
      link: Self.link,
      safety: Self.safety(.live),
      summary: Self.summary
    )
    let bare = try status(snapshot)
    #expect(
      bare == #"""
        {"id":"a/b","jsonrpc":"2.0",\#
        "result":{"configuration":{"files":["/etc/ballmachine/config.yaml"],\#
        "loaded":"2026-11-21T14:00:00Z","reason":"line 3: “café” isn't\ta number"},\#
        "counts":{"badLines":2,"byZone":{"0-1":1,"3-1":13},"dispatches":3,"droppedPositions":4,\#
        "latencies":{"max":0.050125,"p50":0.047103,"p90":0.050125,"p99":0.050125},\#
        "manualOutcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},"otherPositions":3,\#
        "outOfCourt":1,"outcomes":{"delivered":1,"notSent":1,"queued":1,"unknown":1},\#
        "positions":1500,"refusedFeeders":5},"court":{"apron":0},"interval":3,"lastDispatch":null,\#
        "lastManual":null,\#
        "link":{"adapter":"AA:BB:CC:DD:EE:01","adapterName":"hci0","adapterState":"on",\#
        "attempt":3,"code":"connectTimedOut","failures":2,"machine":"F0:F1:F2:F3:F4:F5","mode":"REAL","name":"Court 7 \#
        \"N\\S\" / 🎾","nextAttempt":102.25,"reason":"connecting took too long","remedy":"check \#
        that the machine is on and near, and not connected to a phone; if another machine is \#
        meant, name it with --address, or start once with --forget-machine","remembered":true,\#
        "rssi":-60,"rssiAge":9.125,"since":"","state":"backingOff"},"mode":"REAL",\#
        "nextDecision":null,"player":null,"safety":{"balls":17,"holds":[],"state":"live"},"t":100,\#
        "training":{"aim":"follow","interval":3},"uptime":61.25,"version":"1.2.3"}}
        """#
    )
    snapshot.player = (
      position: try PlayerPosition(x: 4.1, y: 9.8), sampleCount: 25, zone: Zone(id: 13)
    )
    snapshot.nextDecision = Self.now.advanced(by: .milliseconds(1_250))
    snapshot.interval = .milliseconds(4_700)
    snapshot.court = try Court(apron: 3, rows: [0, 2.377, 6.394, 8.32, 11.885])
    var dispatch = DispatchRecord(
      number: 3,
      decision: DecisionRecord(try Self.decision(zone: nil))
    )
    dispatch.outcome = OutcomeRecord(.delivered)
    dispatch.latency = 0.047
    snapshot.lastDispatch = dispatch
    snapshot.training = Self.training
    let full = try status(snapshot)
    #expect(
      full == #"""
        {"id":"a/b","jsonrpc":"2.0",\#
        "result":{"configuration":{"files":["/etc/ballmachine/config.yaml"],\#
        "loaded":"2026-11-21T14:00:00Z","reason":"line 3: “café” isn't\ta number"},\#
        "counts":{"badLines":2,"byZone":{"0-1":1,"3-1":13},"dispatches":3,"droppedPositions":4,\#
        "latencies":{"max":0.050125,"p50":0.047103,"p90":0.050125,"p99":0.050125},\#
        "manualOutcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},"otherPositions":3,\#
        "outOfCourt":1,"outcomes":{"delivered":1,"notSent":1,"queued":1,"unknown":1},\#
        "positions":1500,"refusedFeeders":5},\#
        "court":{"apron":3,"rows":[0,2.377,6.394,8.32,11.885]},"interval":4.7,\#
        "lastDispatch":{"command":"110001060014004500","latency":0.047,"number":3,\#
        "outcome":"delivered","samples":30,"t":100,"x":4.1235,"y":9.8,"zone":null},"lastManual":null,\#
        "link":{"adapter":"AA:BB:CC:DD:EE:01","adapterName":"hci0","adapterState":"on",\#
        "attempt":3,"code":"connectTimedOut","failures":2,"machine":"F0:F1:F2:F3:F4:F5","mode":"REAL","name":"Court 7 \#
        \"N\\S\" / 🎾","nextAttempt":102.25,"reason":"connecting took too long","remedy":"check \#
        that the machine is on and near, and not connected to a phone; if another machine is \#
        meant, name it with --address, or start once with --forget-machine","remembered":true,\#
        "rssi":-60,"rssiAge":9.125,"since":"","state":"backingOff"},"mode":"REAL",\#
        "nextDecision":1.25,"player":{"samples":25,"x":4.1,"y":9.8,"zone":"3-1"},\#
        "safety":{"balls":17,"holds":[],"state":"live"},"t":100,\#
        "training":{"aim":"plan","ball":1,"ballsPerSet":2,"drill":"two-corners","interval":4.7,\#
        "label":"Anna","level":"beginner","next":"3-3","seed":7,"set":1,"sets":3},"uptime":61.25,"version":"1.2.3"}}
        """#
    )
  }

  private func status(_ snapshot: BridgeSnapshot) throws -> String {
    // When the link's phase began is reckoned from the box's clock.
    text(Self.texts.response(.string("a/b"), .status(snapshot), mode: nil))
      .replacing(/"since":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, with: #""since":"""#)
  }

  @Test func answers() throws {
    func answer(_ answer: ControlAnswer) -> String {
      text(Self.texts.response(.integer(7), answer, mode: "SIM")).replacing(Self.moment, with: "")
    }
    let safety = Self.safety(.stopped(.confirmed))
    #expect(
      answer(.safety(.accepted(safety))) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"balls":17,"event":"safety","holds":[],\#
        "reason":"the machine has acknowledged the stop command","state":"stopped",\#
        "stop":{"outcome":"confirmed","reason":"the machine has acknowledged the stop command"}}}
        """#
    )
    #expect(
      answer(.safety(.stopped(.confirmed, safety))) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"event":"stop","mode":"SIM","outcome":"confirmed",\#
        "reason":"the machine has acknowledged the stop command","safety":{"balls":17,"holds":[],"reason":"the machine has \#
        acknowledged the stop command","state":"stopped","stop":{"outcome":"confirmed",\#
        "reason":"the machine has acknowledged the stop command"}}}}
        """#
    )
    #expect(
      answer(.manual(.stopped(.notDelivered(reason: "the link is lost")))) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"event":"stop","mode":"SIM","outcome":"notDelivered","reason":"the stop command did \#
        NOT reach the machine (the link is lost): use its switch"}}
        """#
    )
    let manual = ManualRecord(
      number: 1,
      command: Self.digits,
      outcome: OutcomeRecord(.delivered),
      latency: 0.04725
    )
    #expect(
      answer(.manual(.sent(manual, at: Self.now))) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"command":"110001060014004500","event":"manual",\#
        "latency":0.04725,"number":1,"outcome":"delivered"}}
        """#
    )
    #expect(
      answer(.reload(ReloadRecord(applied: ["a.b"], atRestart: []))) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"applied":["a.b"],"atRestart":[]}}
        """#
    )
    #expect(
      answer(.failed(.reloadRefused("no"))) == #"""
        {"error":{"code":2,"data":{"code":"reloadRefused"},"message":"no"},"id":7,"jsonrpc":"2.0"}
        """#
    )
    #expect(
      text(Self.texts.pendingStop(.null, mode: nil)).replacing(Self.moment, with: "") == #"""
        {"id":null,"jsonrpc":"2.0","result":{"event":"stop","outcome":"pending","reason":"this user has too many \#
        stops waiting for an outcome; this one is carried out, but its outcome is not reported"}}
        """#
    )
    #expect(
      text(ControlMessage.response(.integer(7), ["subscribed": true])) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"subscribed":true}}
        """#
    )
    let table = TableRecord(
      CommandTableFile.builtIn,
      fallback: try MachineCommand(digits: Self.digits),
      stop: .stop
    )
    #expect(
      answer(.table(table)) == #"""
        {"id":7,"jsonrpc":"2.0","result":{"commands":{"0-0":"105001050012002000",\#
        "0-1":"106001052012002500","0-2":"107001054013003000","0-3":"108001056013003500",\#
        "1-0":"109001058014004000","1-1":"110001060014004500","1-2":"111001062015005000",\#
        "1-3":"112001064015005500","2-0":"113001066016006000","2-1":"114001068016006500",\#
        "2-2":"115001070017007000","2-3":"116001072017007500","3-0":"117001074018008000",\#
        "3-1":"118001076018008500","3-2":"119001078019009000","3-3":"120001080019009500"},\#
        "fallback":"110001060014004500","stopCommand":"000000000000000000"}}
        """#
    )
  }

  @Test(
    arguments: [
      (.status, #""status","params":{}"#), (.arm(), #""arm","params":{}"#),
      (.arm(countdown: .seconds(5)), #""arm","params":{"countdown":5}"#),
      (.arm(countdown: .milliseconds(2_500)), #""arm","params":{"countdown":2.5}"#),
      (.arm(whileConnected: true), #""arm","params":{"whileConnected":true}"#),
      (.resume(), #""resume","params":{}"#),
      (.resume(countdown: .seconds(10)), #""resume","params":{"countdown":10}"#),
      (.resume(whileConnected: true), #""resume","params":{"whileConnected":true}"#),
      (
        .send(.zone(Zone(id: 5)!)), #""send","params":{"confirmed":true,"zone":"1-1"}"#
      ),
      (
        .send(.command(.stop)),
        #""send","params":{"command":"000000000000000000","confirmed":true}"#
      ),
      (.subscribe(player: .milliseconds(100)), #""subscribe","params":{"player":0.1}"#),
    ] as [(ControlRequest, String)]
  )
  func aRequestIsReadAsItWasWritten(request: ControlRequest, members: String) throws {
    let line = ControlMessage.request(7, request)
    #expect(
      String(decoding: line, as: UTF8.self) == #"{"id":7,"jsonrpc":"2.0","method":\#(members)}"#
    )
    #expect(try ControlRequest(request.method, ControlLine(line).parameters) == request)
  }

  /// The loaded level stays: a client that believes it has set one must hear of it.
  @Test(arguments: [#"{"none":true,"level":"beginner"}"#, #"{"none":true,"seed":5}"#])
  func noDrillTakesNoLevelAndNoSeed(parameters: String) throws {
    let line = #"{"jsonrpc":"2.0","method":"drill","params":\#(parameters)}"#
    #expect { try ControlRequest(.drill, ControlLine(Array(line.utf8)).parameters) } throws: {
      ($0 as? ControlError)?.code == .invalidParameters
    }
  }

  @Test func errorsAndNotifications() throws {
    let error = ControlError.forbidden(.arm, group: "ballmachine-operators")
    #expect(
      text(ControlMessage.failure(.number(1.5), error)) == #"""
        {"error":{"code":1,"data":{"group":"ballmachine-operators","role":"operator"},\#
        "message":"arm is for the group ballmachine-operators: run `adduser USER \#
        ballmachine-operators` as root, and log in again"},"id":1.5,"jsonrpc":"2.0"}
        """#
    )
    #expect(
      text(ControlMessage.notification("dropped", ["count": 9])) == #"""
        {"jsonrpc":"2.0","method":"dropped","params":{"count":9}}
        """#
    )
    let record = EventRecord(.dropped(1), at: Self.now) { _ in WallTime(secondsSince1970: 0) }
    #expect(
      text(ControlMessage.notification("event", record)) == #"""
        {"jsonrpc":"2.0","method":"event","params":{"count":1,"event":"dropped","t":100,\#
        "time":"1970-01-01T00:00:00.000Z"}}
        """#
    )
  }

  @Test func theLineOfTheStopSocket() {
    let safety = Self.safety(.stopped(.confirmed))
    #expect(
      stopLine(.stopped(.alreadyStopped, safety)) == #"""
        {"event":"stop","mode":"REAL","outcome":"alreadyStopped","reason":"it was stopped already"}
        """#
    )
    #expect(
      stopLine(.accepted(safety)) == #"""
        {"event":"stop","mode":"REAL","outcome":"unconfirmed","reason":"the stop command was written, but not acknowledged: \#
        look at the machine, and use its switch"}
        """#
    )
  }

  private func stopLine(_ reply: SafetyReply) -> String {
    text(StopLoop.Actions.line(reply, mode: "REAL", on: SystemClock())).replacing(
      Self.moment,
      with: ""
    )
  }

  /// When a line was written.
  private static var moment: Regex<Substring> {
    /,"t":[0-9.]+,"time":"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/
  }

  private func text(_ line: some Collection<UInt8>) -> String {
    let text = String(decoding: line, as: UTF8.self)
    PrintedRecords.add(text)
    return text
  }

  // MARK: The run log's own

  @Test func theRunLogsOwnLines() throws {
    let time = WallTime(since1970: .milliseconds(1_795_269_600_250))
    let run = RunRecord(
      t: 1.5,
      time: time.preciseISO8601,
      program: "ballmachine 1.2.3",
      session: 2,
      part: 1
    )
    #expect(
      text(RecordLine.of(run)) == #"""
        {"event":"session","part":1,"program":"ballmachine 1.2.3","protocol":2,"session":2,\#
        "t":1.5,"time":"2026-11-21T14:00:00.250Z"}

        """#
    )
    let clock = ClockRecord(t: 0.1, time: time.preciseISO8601, was: "2026-11-20T14:00:00.250Z")
    #expect(
      text(RecordLine.of(clock)) == #"""
        {"event":"clock","t":0.1,"time":"2026-11-21T14:00:00.250Z",\#
        "was":"2026-11-20T14:00:00.250Z"}

        """#
    )
    let loss = LossRecord(
      t: 100,
      time: time.preciseISO8601,
      code: .tooMany,
      connection: nil,
      positions: 5,
      records: 0
    )
    #expect(
      text(RecordLine.of(loss)) == #"""
        {"code":"tooMany","event":"lost","positions":5,"records":0,"t":100,\#
        "time":"2026-11-21T14:00:00.250Z"}

        """#
    )
    let court = LogicManager.Settings(court: Court(), table: CommandTableFile.builtIn)
    #expect(
      text(RecordLine.of(CourtRecord(court, at: Self.now, time: time))) == #"""
        {"apron":0,"commands":{"0-0":"105001050012002000","0-1":"106001052012002500","0-2":"107001054013003000",\#
        "0-3":"108001056013003500","1-0":"109001058014004000","1-1":"110001060014004500",\#
        "1-2":"111001062015005000","1-3":"112001064015005500","2-0":"113001066016006000",\#
        "2-1":"114001068016006500","2-2":"115001070017007000","2-3":"116001072017007500",\#
        "3-0":"117001074018008000","3-1":"118001076018008500","3-2":"119001078019009000",\#
        "3-3":"120001080019009500"},"event":"court",\#
        "fallback":"110001060014004500","fallbackZone":"1-1","interval":3,"t":100,\#
        "time":"2026-11-21T14:00:00.250Z"}

        """#
    )
  }
}
