import ControlProtocol
import Fleet
import Host
import JSON
import Testing

@Suite struct CourtStateTests {
  // MARK: State

  /// The event's members, and the payload after the first event, `pending` at 14:00:00.
  static let states: [(members: String, payload: String)] = [
    (
      #""state":"disarmed","code":"operator","reason":"a user disarmed it","holds":[],"balls":7"#,
      #"{"code":"operator","holds":[],"reason":"a user disarmed it","since":"2026-11-21T14:00:05Z","state":"disarmed"}"#
    ),
    (
      #""state":"pending","holds":[],"balls":0"#,
      // Its beginning was not seen.
      ""
    ),
    (
      #""state":"countdown","code":"arming","reason":"balls fly when it ends","remaining":9.5,"holds":[],"balls":0"#,
      #"{"code":"arming","holds":[],"reason":"balls fly when it ends","since":"2026-11-21T14:00:05Z","state":"countdown"}"#
    ),
    (
      #""state":"live","holds":[{"code":"notSeen","reason":"no player is seen"}],"balls":3"#,
      #"{"holds":[{"code":"notSeen","reason":"no player is seen"}],"since":"2026-11-21T14:00:05Z","state":"live"}"#
    ),
    (
      #""state":"resting","reason":"a countdown to the next set follows","remaining":30,"holds":[],"balls":10"#,
      #"{"holds":[],"reason":"a countdown to the next set follows","since":"2026-11-21T14:00:05Z","state":"resting"}"#
    ),
    (
      #""state":"paused","code":"silence","reason":"no player is seen","holds":[],"balls":10"#,
      #"{"code":"silence","holds":[],"reason":"no player is seen","since":"2026-11-21T14:00:05Z","state":"paused"}"#
    ),
    (
      #""state":"stopped","reason":"the stop command is on its way","stop":{"outcome":"pending"},"holds":[],"balls":10"#,
      #"{"holds":[],"reason":"the stop command is on its way","since":"2026-11-21T14:00:05Z","state":"stopping","stop":{"outcome":"pending"}}"#
    ),
    (
      #""state":"stopped","reason":"the machine has confirmed","stop":{"outcome":"confirmed","reason":"the machine has confirmed"},"holds":[],"balls":10"#,
      #"{"holds":[],"reason":"the machine has confirmed","since":"2026-11-21T14:00:05Z","state":"stopped","stop":{"outcome":"confirmed","reason":"the machine has confirmed"}}"#
    ),
  ]

  @Test(arguments: states.indices) func aStateOfSafety(_ index: Int) throws {
    var story = CourtStory()
    let pending = try story.event("safety", #""state":"pending","holds":[],"balls":0"#)
    #expect(pending == [#"state {"holds":[],"state":"pending"}"#])
    let (members, payload) = Self.states[index]
    #expect(
      try story.event("safety", at: 5, members) == (payload.isEmpty ? [] : ["state \(payload)"])
    )
    #expect(try story.event("safety", at: 9, members) == [])
  }

  /// An automation that reads the word alone must not report a success that is not known.
  @Test(arguments: [
    ("pending", "stopping"), ("confirmed", "stopped"), ("alreadyStopped", "stopped"),
    ("unconfirmed", "stopUnconfirmed"), ("notDelivered", "stopNotDelivered"),
  ])
  func eachOutcomeOfAStopIsAStateOfItsOwn(_ outcome: String, word: String) throws {
    var story = CourtStory()
    let stop = #""stop":{"outcome":"\#(outcome)"}"#
    #expect(
      try story.event("safety", #""state":"stopped",\#(stop),"holds":[],"balls":1"#) == [
        #"state {"holds":[],"state":"\#(word)",\#(stop)}"#
      ]
    )
    #expect(CourtStateRecord.states.contains(word))
    let later = SafetyRecord.Stop(outcome: "of a later version", reason: nil)
    #expect(CourtStateRecord.state("stopped", later) == "stopUnconfirmed")
  }

  @Test func aStopThatEndsBeginsAState() throws {
    var story = CourtStory()
    func stop(_ outcome: String, at seconds: Int) throws -> [String] {
      let members = #""state":"stopped","stop":{"outcome":"\#(outcome)"},"holds":[],"balls":0"#
      return try story.event("safety", at: seconds, members)
    }
    _ = try stop("pending", at: 0)
    #expect(
      try stop("unconfirmed", at: 6) == [
        #"state {"holds":[],"since":"2026-11-21T14:00:06Z","state":"stopUnconfirmed","stop":{"outcome":"unconfirmed"}}"#
      ]
    )
    #expect(try stop("unconfirmed", at: 9) == [])
  }

  @Test func aStateKeepsItsBeginningWhileItsReasonChanges() throws {
    var story = CourtStory()
    _ = try story.event("safety", #""state":"live","holds":[],"balls":0"#)
    _ = try story.event("safety", at: 5, #""state":"paused","code":"silence","holds":[],"balls":0"#)
    #expect(
      try story.event(
        "safety",
        at: 8,
        #""state":"paused","code":"operator","holds":[],"balls":0"#
      ) == [
        #"state {"code":"operator","holds":[],"since":"2026-11-21T14:00:05Z","state":"paused"}"#
      ]
    )
  }

  /// Whichever of the two is read first.
  @Test(arguments: [true, false]) func theServicesBeginningIsThatOfItsFirstState(
    statusFirst: Bool
  ) throws {
    var story = CourtStory()
    let members = #""state":"disarmed","code":"atStart","holds":[],"balls":0"#
    if statusFirst { _ = story.status() }
    let event = try story.event("safety", members)
    let last = statusFirst ? event : story.status()
    #expect(
      last.first
        == #"state {"code":"atStart","holds":[],"since":"2026-11-21T13:59:20Z","state":"disarmed"}"#
    )
    #expect(story.status(at: 3.4) == [])
  }

  @Test func theModeIsTheLinks() throws {
    var story = CourtStory()
    _ = try story.event("link", #""state":"ready","mode":"REAL""#)
    #expect(
      try story.event("safety", #""state":"live","holds":[],"balls":0"#) == [
        #"state {"holds":[],"mode":"REAL","state":"live"}"#
      ]
    )
    #expect(
      try story.event("link", #""state":"discovering""#) == [
        #"state {"holds":[],"state":"live"}"#, #"link {"state":"discovering"}"#,
      ]
    )
  }

  // MARK: Link

  static let links: [(members: String, payload: String)] = [
    (#""state":"idle""#, #"{"state":"idle"}"#),
    (
      #""state":"waitingForBlueZ","since":"2026-11-21T13:00:00Z","reason":"bluetoothd doesn't run","remedy":"start it""#,
      #"{"reason":"bluetoothd doesn't run","remedy":"start it","since":"2026-11-21T13:00:00Z","state":"waitingForBlueZ"}"#
    ),
    (
      #""state":"waitingForAdapter","adapterState":"missing","nextAttempt":107.5"#,
      #"{"adapterState":"missing","state":"waitingForAdapter"}"#
    ),
    (
      #""state":"discovering","adapter":"00:1A:7D:DA:71:11","adapterName":"hci0","adapterState":"on""#,
      #"{"adapter":"00:1A:7D:DA:71:11","adapterName":"hci0","adapterState":"on","state":"discovering"}"#
    ),
    (
      #""state":"connecting","attempt":2,"machine":"AA:BB:CC:DD:EE:FF","name":"BALL-1","remembered":true,"rssi":-70,"rssiAge":0.25"#,
      #"{"attempt":2,"machine":"AA:BB:CC:DD:EE:FF","name":"BALL-1","remembered":true,"rssi":-70,"state":"connecting"}"#
    ),
    (#""state":"resolving""#, #"{"state":"resolving"}"#),
    (
      #""state":"ready","mode":"SIM","profile":"uart","refused":2,"reason":"it refused the command","notifications":{"on":true,"late":1},"warning":"classic Bluetooth""#,
      #"{"mode":"SIM","notifications":{"late":1,"on":true},"profile":"uart","reason":"it refused the command","refused":2,"state":"ready","warning":"classic Bluetooth"}"#
    ),
    (
      #""state":"backingOff","failures":3,"nextAttempt":120.5,"reason":"the machine is gone""#,
      #"{"failures":3,"reason":"the machine is gone","state":"backingOff"}"#
    ),
    (#""state":"shuttingDown""#, #"{"state":"shuttingDown"}"#),
    (#""state":"ended""#, #"{"state":"ended"}"#),
  ]

  @Test(arguments: links.indices) func aPhaseOfTheLink(_ index: Int) throws {
    var story = CourtStory()
    let (members, payload) = Self.links[index]
    #expect(try story.event("link", members) == ["link \(payload)"])
    #expect(try story.event("link", at: 2, members) == [])
  }

  @Test func whatMovesAllTheTimeIsNoChange() throws {
    var story = CourtStory()
    let link = #""state":"backingOff","rssi":-70,"#
    _ = try story.event("link", link + #""rssiAge":0.25,"nextAttempt":120"#)
    #expect(try story.event("link", link + #""rssiAge":1.25,"nextAttempt":121"#) == [])
  }

  @Test func aSignalThatIsNearlyAsStrongIsNoChange() throws {
    var story = CourtStory()
    func lines(_ rssi: Int, _ state: String = "connecting") throws -> [String] {
      try story.event("link", #""state":"\#(state)","rssi":\#(rssi)"#)
    }
    #expect(try lines(-70) == [#"link {"rssi":-70,"state":"connecting"}"#])
    for rssi in [-66, -74, -70, -71] { #expect(try lines(rssi) == []) }
    // Also where it changes little by little.
    #expect(try lines(-75) == [#"link {"rssi":-75,"state":"connecting"}"#])
    #expect(try lines(-71) == [])
    #expect(try lines(-72, "ready") == [#"link {"rssi":-75,"state":"ready"}"#])
    // It is gone while nothing scans.
    #expect(try story.event("link", #""state":"ready""#) == [#"link {"state":"ready"}"#])
    #expect(try lines(-74, "ready") == [#"link {"rssi":-74,"state":"ready"}"#])
    _ = story.leave("the service has ended", at: 9)
    #expect(try lines(-73) == [#"link {"rssi":-73,"state":"connecting"}"#])
  }

  // MARK: Balls

  private static func dispatch(
    _ number: Int,
    at t: Double,
    zone: String?,
    target: String? = nil,
    outcome: String?
  ) -> DispatchRecord {
    let decision = DecisionRecord(
      t: t,
      x: 4,
      y: 20,
      samples: 30,
      zone: zone,
      target: target,
      command: "A"
    )
    var dispatch = DispatchRecord(number: number, decision: decision)
    dispatch.outcome = outcome.map { OutcomeRecord(outcome: $0, reason: nil) }
    dispatch.latency = outcome.map { _ in 0.02 }
    return dispatch
  }

  @Test func ballsAreCountedFromTheServicesStatus() {
    var story = CourtStory()
    #expect(
      story.status() == [
        #"balls {"byHand":0,"outcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},"session":0,"total":0}"#,
        #"version {"service":"1.2.4","version":"1.2.3"}"#,
      ]
    )
    let first = story.status(at: 3.1) { status in
      status.lastDispatch = Self.dispatch(1, at: 103, zone: "1-1", target: "3-0", outcome: "queued")
      status.safety.balls = 1
      status.counts.dispatches = 1
      status.counts.outcomes.queued = 1
    }
    let ball = #""last":{"byHand":false,"outcome":"queued","time":"2026-11-21T14:00:03Z"}"#
    #expect(
      first == [
        #"balls {"byHand":0,\#(ball),"outcomes":{"delivered":0,"notSent":0,"queued":1,"unknown":0},"session":1,"total":1}"#
      ]
    )
    // The same ball looked at later, and the next one, which is on its way.
    #expect(
      story.status(at: 6.9) { status in
        status.lastDispatch = Self.dispatch(2, at: 106, zone: nil, outcome: nil)
        status.safety.balls = 1
        status.counts.dispatches = 1
        status.counts.outcomes.queued = 1
      } == []
    )
    // Its outcome is late.
    #expect(
      story.status(at: 6.95) { status in
        status.lastDispatch = Self.dispatch(2, at: 106, zone: nil, outcome: nil)
        status.safety.balls = 1
        status.counts.dispatches = 2
        status.counts.outcomes.queued = 1
      } == [
        #"balls {"byHand":0,\#(ball),"outcomes":{"delivered":0,"notSent":0,"queued":1,"unknown":0},"session":1,"total":2}"#
      ]
    )
    #expect(
      story.status(at: 7) { status in
        status.lastDispatch = Self.dispatch(2, at: 106, zone: nil, outcome: "delivered")
        status.safety.balls = 2
        status.counts.dispatches = 2
        status.counts.outcomes.queued = 1
        status.counts.outcomes.delivered = 1
      } == [
        #"balls {"byHand":0,"last":{"byHand":false,"outcome":"delivered","time":"2026-11-21T14:00:06Z"},"outcomes":{"delivered":1,"notSent":0,"queued":1,"unknown":0},"session":2,"total":2}"#
      ]
    )
  }

  @Test func ballsByHandAreSeen() {
    var story = CourtStory()
    func status(_ outcomes: [WritableKeyPath<CountsRecord.Outcomes, Int>]) -> [String] {
      story.status(at: 9) { status in
        status.lastDispatch = Self.dispatch(1, at: 103, zone: nil, outcome: "queued")
        guard let last = outcomes.last else { return }
        let word = last == \.notSent ? "notSent" : "delivered"
        let ball = ManualRecord(
          number: outcomes.count,
          command: "A",
          outcome: OutcomeRecord(outcome: word, reason: nil),
          latency: 0.1
        )
        status.lastManual = TimedManualRecord(t: 104 + Double(outcomes.count), manual: ball)
        for outcome in outcomes { status.counts.manualOutcomes[keyPath: outcome] += 1 }
      }.filter { $0.hasPrefix("balls") }
    }
    let counts =
      #""outcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},"session":0,"total":0}"#
    let automatic = #""last":{"byHand":false,"outcome":"queued","time":"2026-11-21T14:00:03Z"}"#
    #expect(status([]) == [#"balls {"byHand":0,\#(automatic),\#(counts)"#])
    let ball = #""last":{"byHand":true,"outcome":"delivered","time":"2026-11-21T14:00:05Z"}"#
    #expect(status([\.delivered]) == [#"balls {"byHand":1,\#(ball),\#(counts)"#])
    let later = ball.replacing(":05Z", with: ":06Z")
    #expect(status([\.delivered, \.unknown]) == [#"balls {"byHand":2,\#(later),\#(counts)"#])
    let none = #""last":{"byHand":true,"outcome":"notSent","time":"2026-11-21T14:00:07Z"}"#
    #expect(
      status([\.delivered, \.unknown, \.notSent]) == [#"balls {"byHand":2,\#(none),\#(counts)"#]
    )
  }

  @Test func armingBeginsANewCount() throws {
    var story = CourtStory()
    _ = story.status { $0.safety.balls = 12 }
    #expect(
      try story.event("safety", #""state":"countdown","remaining":10,"holds":[],"balls":0"#) == [
        #"state {"holds":[],"state":"countdown"}"#,
        #"balls {"byHand":0,"outcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},"session":0,"total":0}"#,
      ]
    )
  }

  // MARK: Drill

  @Test func aDrillIsNeverForWhomItIs() throws {
    var story = CourtStory()
    #expect(
      try story.event("training", #""aim":"follow","interval":3,"level":"beginner""#) == [
        #"drill {"aim":"follow","interval":3,"level":"beginner"}"#
      ]
    )
    let drill =
      #""aim":"plan","drill":"side-to-side","interval":4,"set":1,"sets":3,"ball":2,"ballsPerSet":10,"next":"3-0","seed":7"#
    #expect(
      try story.event("training", drill + #","label":"Ada Lovelace""#) == [
        #"drill {"aim":"plan","ball":2,"ballsPerSet":10,"drill":"side-to-side","interval":4,"next":"3-0","seed":7,"set":1,"sets":3}"#
      ]
    )
    #expect(try story.event("training", drill + #","label":"Alan Turing""#) == [])
  }

  /// Without a drill, that is about where the player is.
  @Test(arguments: [
    (false, "1-1", ""), (true, "1-1", #","zone":"1-1""#), (true, nil, ""),
  ])
  func aBallsZoneIsPublishedWithThePlayersPlaceAlone(
    _ player: Bool,
    _ zone: String?,
    _ member: String
  ) {
    var story = CourtStory(player: player)
    let lines = story.status { status in
      status.lastDispatch = Self.dispatch(1, at: 100, zone: zone, outcome: "queued")
    }
    let ball =
      #""last":{"byHand":false,"outcome":"queued","time":"2026-11-21T14:00:00Z"\#(member)}"#
    #expect(lines.contains { $0.hasPrefix(#"balls {"byHand":0,\#(ball),"#) })
  }

  // MARK: Player

  private static func player(_ x: Double, _ zone: String?) -> StatusRecord.Player {
    StatusRecord.Player(x: x, y: 20.004, samples: 30, zone: zone)
  }

  @Test func thePlayersPlaceIsNotPublishedUnlessAsked() {
    var story = CourtStory()
    let lines = story.status { $0.player = Self.player(4, "1-1") } + story.all
    #expect(!lines.contains { $0.hasPrefix("player") })
    #expect(!story.leave("gone", at: 1).contains { $0.hasPrefix("player") })
  }

  @Test func thePlayersPlaceIsPublishedOnceASecondAtMost() {
    var story = CourtStory(player: true)
    func player(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("player") } }
    #expect(player(story.status(at: 0)) == [#"player {"present":false}"#])
    #expect(player(story.status(at: 0.99) { $0.player = Self.player(4.04, "1-1") }) == [])
    #expect(
      player(story.status(at: 1) { $0.player = Self.player(4.04, "1-1") }) == [
        #"player {"present":true,"x":4,"y":20,"zone":"1-1"}"#
      ]
    )
    // He stands, but for noise.
    #expect(player(story.status(at: 5) { $0.player = Self.player(4.01, "1-1") }) == [])
    #expect(
      player(story.status(at: 6) { $0.player = Self.player(-3.56, nil) }) == [
        #"player {"present":true,"x":-3.6,"y":20}"#
      ]
    )
    #expect(!story.all.contains { $0.hasPrefix("player") })
    #expect(player(story.leave("gone", at: 6)) == [#"player {"present":false}"#])
    // Another service, whose clock began anew.
    #expect(
      player(story.status(at: -90) { $0.player = Self.player(4, "1-1") }) == [
        #"player {"present":true,"x":4,"y":20,"zone":"1-1"}"#
      ]
    )
  }

  // MARK: Away

  @Test func withoutAServiceNothingOldIsShownAsPresent() throws {
    var story = CourtStory()
    _ = try story.event("link", #""state":"ready","mode":"REAL""#)
    _ = try story.event("safety", #""state":"live","holds":[],"balls":3"#)
    _ = try story.event("training", #""aim":"follow","interval":3"#)
    _ = story.status { $0.safety.balls = 3 }
    func state(_ reason: String) -> String {
      #"state {"holds":[],"reason":"\#(reason)","since":"2026-11-21T14:00:09Z","state":"noService"}"#
    }
    let away = [
      state("the service has ended"),
      #"link {"state":"noService"}"#,
      "drill {}",
      #"version {"version":"1.2.3"}"#,
    ]
    #expect(story.leave("the service has ended", at: 9) == away)
    #expect(story.leave("the service has ended", at: 10) == [])
    #expect(
      story.leave("no service runs", at: 11) == [state("no service runs")]
    )
    // A link alone says nothing of safety.
    #expect(
      try story.event("link", #""state":"idle","mode":"SIM""#) == [
        #"link {"mode":"SIM","state":"idle"}"#
      ]
    )
    #expect(
      try story.event("safety", at: 20, #""state":"live","holds":[],"balls":4"#).first
        == #"state {"holds":[],"mode":"SIM","state":"live"}"#
    )
  }

  // MARK: Problems and sessions

  @Test func problemsAreTheDoctors() throws {
    var story = CourtStory()
    #expect(
      try story.problems(
        #"{"event":"finding","check":"bus","code":"busRuns","verdict":"ok","text":"D-Bus runs"}"#,
        #"{"event":"finding","check":"rfkill","code":"rfkillBlocked","verdict":"problem","text":"Bluetooth is blocked","remedy":"run `rfkill unblock bluetooth`"}"#,
        #"{"event":"finding","check":"later","code":"later","verdict":"problem","text":"later","more":1}"#,
        #"{"event":"finding","check":"mqtt","code":"brokerAway","verdict":"problem","text":"it is away"}"#,
        #"{"event":"finding","verdict":"problem"}"#,
        #"{"event":"diagnosis","ok":1,"notes":0,"problems":2,"canLink":false}"#
      ) == [
        #"problem {"problems":[{"code":"rfkillBlocked","remedy":"run `rfkill unblock bluetooth`","text":"Bluetooth is blocked"},{"code":"later","text":"later"}]}"#
      ]
    )
    #expect(try story.problems() == [#"problem {"problems":[]}"#])
    #expect(try story.problems() == [])
  }

  private static let summary =
    #"{"aim":"follow","arming":1,"balls":2,"before":{"count":3},"drill":"side-to-side","ending":{"code":"operator","reason":"a user disarmed it"},"event":"trainingSession","heldBy":[{"code":"notSeen","count":1,"reason":"no player is seen","seconds":2}],"label":"Ada","later":"Ada","live":50,"outOfCourt":0,"outcomes":{"delivered":2,"notSent":0,"queued":0,"unknown":0},"seconds":60,"session":42,"stood":[{"seconds":3,"x":4,"y":20}],"t":12,"targets":{"1-1":2},"time":"2026-11-21T14:00:00.000Z"}"#

  @Test func aSessionIsNeitherForWhomItWasNorWhereHeStood() throws {
    var story = CourtStory(session: true)
    #expect(story.all == [#"version {"version":"1.2.3"}"#])
    #expect(
      try story.session(Self.summary) == [
        #"session {"aim":"follow","arming":1,"balls":2,"drill":"side-to-side","ending":{"code":"operator","reason":"a user disarmed it"},"heldBy":[{"code":"notSeen","count":1,"reason":"no player is seen","seconds":2}],"live":50,"manualOutcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},"outOfCourt":0,"outcomes":{"delivered":2,"notSent":0,"queued":0,"unknown":0},"pauses":[],"rested":0,"seconds":60,"session":42,"time":"2026-11-21T14:00:00.000Z","unread":0}"#
      ]
    )
    #expect(try story.session(Self.summary) == [])
    // One that goes on is no summary.
    let half = Self.summary.replacing("operator", with: "logEnds").replacing("42", with: "43")
    #expect(try story.session(half) == [])
    #expect(CourtState.session(before: try JSONValue(text: Array(half.utf8))) == nil)
    let third = half.replacing(#""arming":1"#, with: #""arming":3"#)
    #expect(CourtState.session(before: try JSONValue(text: Array(third.utf8))) == "43.2")
    #expect(CourtState.session(before: try JSONValue(text: Array(Self.summary.utf8))) == nil)
  }

  /// An empty payload removes what was there before it was switched off.
  @Test func noSessionIsPublishedUnlessAsked() throws {
    var story = CourtStory()
    #expect(try story.session(Self.summary) == [])
    #expect(story.all == ["session ", #"version {"version":"1.2.3"}"#])
  }

  // MARK: A new connection

  @Test func aNewConnectionGetsTheNewestOfAll() throws {
    var story = CourtStory(player: true)
    _ = try story.event("link", #""state":"discovering""#)
    _ = try story.event("link", #""state":"ready""#)
    _ = try story.event("safety", #""state":"live","holds":[],"balls":3"#)
    _ = try story.event("training", #""aim":"follow","interval":3"#)
    _ = story.status { $0.player = Self.player(4, "1-1") }
    _ = try story.problems()
    #expect(
      story.all == [
        #"state {"holds":[],"state":"live"}"#,
        #"link {"state":"ready"}"#,
        #"balls {"byHand":0,"outcomes":{"delivered":0,"notSent":0,"queued":0,"unknown":0},"session":0,"total":0}"#,
        #"drill {"aim":"follow","interval":3}"#,
        #"problem {"problems":[]}"#,
        "session ",
        #"version {"service":"1.2.4","version":"1.2.3"}"#,
      ]
    )
  }

  @Test func theOwnersOwnPayloads() throws {
    #expect(CourtAvailability.offline.payload == Array("offline".utf8))
    let box = CourtBoxRecord(box: String(repeating: "0a", count: 16))
    let stop = CourtStopRecord(
      StopRecord(outcome: "unconfirmed", reason: "no answer"),
      to: ["stop 7"],
      time: CourtStory.noon
    )
    let payloads = [CourtPayload.bytes(of: box), CourtPayload.bytes(of: stop)].compactMap(\.self)
    #expect(
      CourtStory.lines(Array(zip([CourtTopic.box, .outcome], payloads)).map { ($0, $1) }) == [
        #"box {"box":"0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"}"#,
        #"outcome {"outcome":"unconfirmed","reason":"no answer","stops":["stop 7"],"time":"2026-11-21T14:00:00Z"}"#,
      ]
    )
  }

  @Test func theOfficeReadsWhatACourtWrites() throws {
    var (story, academy) = (CourtStory(), Academy())
    _ = try story.event("link", #""state":"ready","mode":"SIM""#)
    _ = try story.event("safety", #""state":"paused","code":"silence","holds":[],"balls":3"#)
    _ = story.status { status in
      status.safety.balls = 3
      status.counts.dispatches = 16
    }
    for (topic, payload) in story.court.all {
      academy.say(topic, of: "court-1", String(decoding: payload, as: UTF8.self))
    }
    let row = try #require(academy.table.rows.first)
    #expect(row.state?.state == "paused" && row.state?.code == "silence")
    #expect(row.state?.mode == "SIM" && row.link?.state == "ready")
    #expect(row.balls?.session == 3 && row.balls?.total == 16 && row.balls?.byHand == 0)
  }
}
