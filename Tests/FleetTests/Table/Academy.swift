import Fleet
import Host

/// An academy's courts as their messages leave a table.
struct Academy {
  static let now = WallTime(secondsSince1970: 1_790_000_000)
  static let since = now.advanced(by: .seconds(-600))

  var table = CourtTable()

  init() { table.connected() }

  mutating func say(_ topic: CourtTopic, of court: String, _ payload: String, isNew: Bool = false) {
    table.receive(
      MQTTMessage(topic.path(of: court), Array(payload.utf8), isRetained: !isNew),
      at: Self.now
    )
  }

  /// A court that is ready to play.
  mutating func add(_ court: String, state: String = "live", more: String = "", balls: Int = 24) {
    say(.availability, of: court, "online")
    say(
      .state,
      of: court,
      #"{"state":"\#(state)","holds":[],"mode":"REAL","since":"\#(Self.since.iso8601)"\#(more)}"#
    )
    say(.link, of: court, #"{"state":"ready","mode":"REAL","name":"Machine"}"#)
    say(.balls, of: court, #"{"session":\#(balls),"total":100}"#)
    say(.problem, of: court, #"{"problems":[]}"#)
    say(.version, of: court, #"{"version":"2.0.0","name":"Court \#(court.drop { !$0.isNumber })"}"#)
  }

  /// Twelve courts, four of which need attention.
  static var atWork: CourtTable {
    var academy = Academy()
    for number in (1...12).reversed() { academy.add("court-\(number)", balls: number * 7) }
    academy.say(
      .drill,
      of: "court-1",
      #"{"aim":"plan","drill":"two-corners","interval":3,"set":2,"sets":3,"ball":4,"ballsPerSet":10}"#
    )
    academy.add("court-2", state: "countdown")
    academy.add(
      "court-4",
      state: "stopped",
      more: #","reason":"stopped from the phone","stop":{"outcome":"confirmed"}"#
    )
    academy.say(.availability, of: "court-5", "offline", isNew: true)
    academy.say(
      .link,
      of: "court-7",
      #"{"state":"backingOff","reason":"the machine does not answer","remedy":"switch it on"}"#
    )
    academy.say(
      .problem,
      of: "court-9",
      """
      {"problems":[
        {"code":"clock","text":"the clock is 3 min slow","remedy":"connect the box to the network"},
        {"code":"disk","text":"the disk is nearly full","remedy":"remove old session logs"}]}
      """
    )
    academy.add("court-10", state: "disarmed", more: #","mode2":1"#, balls: 0)
    academy.add(
      "court-11",
      state: "live",
      more: #","unknown":[1]"#
    )
    academy.say(
      .state,
      of: "court-12",
      #"{"state":"live","mode":"SIM","since":"\#(Self.since.iso8601)","holds":[{"code":"notSeen","reason":"no player is seen"}]}"#
    )
    academy.table.filled()
    return academy.table
  }

  /// Thirty courts in the evening: one that was not stopped, one that was lost while live, three in play, a
  /// simulated one, and those that were switched off.
  static var evening: Academy {
    var academy = Academy()
    for number in 1...30 {
      let court = "court-\(number)"
      academy.add(
        court,
        state: (21...24).contains(number) || number == 17 ? "live" : "disarmed",
        balls: number * 7
      )
      if !(21...24).contains(number) { academy.say(.availability, of: court, "offline") }
    }
    academy.say(.state, of: "court-24", #"{"state":"live","mode":"SIM"}"#)
    academy.say(.availability, of: "court-30", "online")
    let stop = #"{"outcome":"notDelivered","reason":"the machine does not answer"}"#
    academy.say(
      .state,
      of: "court-30",
      #"{"state":"stopped","mode":"REAL","reason":"stopped from the phone","stop":\#(stop)}"#
    )
    academy.table.filled()
    return academy
  }
}
