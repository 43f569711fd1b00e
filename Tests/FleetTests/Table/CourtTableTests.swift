import Fleet
import Host
import JSON
import Testing

@Suite struct CourtTableTests {
  private var courts: (Academy) -> [String] { { $0.table.rows.map(\.court) } }

  @Test func courtsStandAsPeopleCount() {
    var academy = Academy()
    let order = ["a", "court-1", "court-02", "court-2", "court-2b", "court-10", "court_1", "z"]
    for court in order.reversed() { academy.say(.availability, of: court, "online") }
    #expect(courts(academy) == order)
    // Each of them is found again.
    for court in order { academy.say(.availability, of: court, "offline") }
    #expect(courts(academy) == order)
    #expect(academy.table.rows.allSatisfy { $0.isOnline == false })
  }

  @Test func aCourtIsWhatItSays() throws {
    var academy = Academy()
    academy.add("court-1", more: #","reason":"armed""#)
    academy.say(.drill, of: "court-1", #"{"aim":"follow","interval":3,"level":"beginner"}"#)
    let row = try #require(academy.table.rows.first)
    #expect(
      String(decoding: try JSONEncoding.line(row), as: UTF8.self) == """
        {"balls":{"byHand":0,"session":24,"total":100},"court":"court-1",\
        "drill":{"aim":"follow","level":"beginner"},"isOnline":true,"link":{"state":"ready"},\
        "name":"Court 1","problems":[],\
        "state":{"mode":"REAL","reason":"armed","since":"\(Academy.since.iso8601)","state":"live"},\
        "version":"2.0.0"}
        """
    )
    #expect(!row.needsAttention)
  }

  /// What can't be read must not leave the state before it.
  @Test(arguments: [
    "", "{", "[]", "7", #"{"state":3}"#, #"{"mode":"REAL"}"#, #"{"state":"live","state":"live"}"#,
    String(repeating: "[", count: 10_000),
    #"{"state":"live","reason":""# + String(repeating: "x", count: 20_000) + #""}"#,
  ])
  func aStateThatCannotBeReadIsNotKnown(_ payload: String) throws {
    var academy = Academy()
    academy.add("court-1")
    academy.say(.state, of: "court-1", payload)
    let row = try #require(academy.table.rows.first)
    #expect(row.state == nil)
    #expect(row.needsAttention && row.troubles == ["its state is not known: balls may fly"])
  }

  @Test func membersOfAnotherTypeAreLeftOut() throws {
    var academy = Academy()
    academy.add("court-1")
    academy.say(
      .state,
      of: "court-1",
      #"{"state":"live","mode":7,"since":"yesterday","holds":{},"reason":["x"],"new":null}"#
    )
    academy.say(.balls, of: "court-1", #"{"session":"many","total":7}"#)
    academy.say(.problem, of: "court-1", #"{"problems":[3,{"code":"x"}]}"#)
    let row = try #require(academy.table.rows.first)
    #expect(
      String(decoding: try JSONEncoding.line(row), as: UTF8.self) == """
        {"balls":{"total":7},"court":"court-1","isOnline":true,"link":{"state":"ready"},\
        "name":"Court 1","problems":[{},{"code":"x"}],"state":{"state":"live"},"version":"2.0.0"}
        """
    )
  }

  @Test func aNameIsNoLongerThanACourtsOwn() {
    var academy = Academy()
    let name = String(repeating: "a", count: 400)
    academy.say(.version, of: "court-1", #"{"name":"\#(name)"}"#)
    #expect(academy.table.rows.first?.name?.count == 64)
  }

  @Test func sinceWhenACourtIsOfflineIsKnownIfItWasSeenToGo() throws {
    var academy = Academy()
    academy.add("court-1")
    academy.say(.availability, of: "court-1", "offline")
    #expect(academy.table.rows.first?.offlineSince == nil)
    academy.say(.availability, of: "court-1", "online", isNew: true)
    academy.say(.availability, of: "court-1", "offline", isNew: true)
    #expect(academy.table.rows.first?.offlineSince == Academy.now)
    // Only these two words count.
    academy.say(.availability, of: "court-1", "Online", isNew: true)
    #expect(academy.table.rows.first?.isOnline == nil)
  }

  @Test func aCourtThatIsTakenOffTheBrokerGoes() {
    var academy = Academy()
    academy.add("court-1")
    academy.add("court-2")
    for topic in [CourtTopic.availability, .state, .link, .balls] {
      academy.say(topic, of: "court-1", "", isNew: true)
    }
    #expect(courts(academy) == ["court-2"])
  }

  @Test func aNewConnectionKeepsNothingOfTheOldOne() throws {
    var academy = Academy()
    academy.add("court-1")
    academy.add("court-2")
    academy.table.filled()
    let later = Academy.now.advanced(by: .seconds(5))
    academy.table.lost(MQTTFailure(.lost, "it ended"), at: Academy.now)
    academy.table.lost(MQTTFailure(.unreachable, "nothing answers"), at: later)
    #expect(
      academy.table.broker
        == .away(MQTTFailure(.unreachable, "nothing answers"), since: Academy.now)
    )
    #expect(courts(academy) == ["court-1", "court-2"])
    academy.table.connected()
    academy.say(.availability, of: "court-2", "online")
    #expect(courts(academy) == ["court-1", "court-2"])
    #expect(academy.table.rows.last?.state == nil, "of the connection before")
    academy.table.filled()
    #expect(courts(academy) == ["court-2"])
  }

  @Test(arguments: [
    "ballmachine/court-1/arm", "ballmachine/court-1", "other/court-1/state", "ballmachine//state",
    "ballmachine/court-1/player", "ballmachine/court-1/stop", "ballmachine/court-1/stop/outcome",
    "ballmachine/\(String(repeating: "x", count: 33))/state", "ballmachine/Court 1/state",
    "ballmachine/court-1'; reboot; '/state", "ballmachine/court-\u{202E}1/state",
  ])
  func otherTopicsAreIgnored(_ topic: String) {
    var table = CourtTable()
    table.connected()
    table.receive(MQTTMessage(topic, Array(#"{"state":"live"}"#.utf8)), at: Academy.now)
    #expect(table.rows.isEmpty)
  }

  @Test func aBrokerFullOfNamesIsBounded() {
    var academy = Academy()
    let long = String(repeating: #"\u001b[2J"#, count: 1_500)
    let payload = #"{"state":"live","reason":"\#(long)"}"#
    for number in 0..<5_000 {
      academy.say(.availability, of: "c\(number)", "online")
      if number < 1_100 { academy.say(.state, of: "c\(number)", payload) }
    }
    #expect(academy.table.rows.count == CourtTable.mostCourts)
    #expect(academy.table.isFull)
    let reason = academy.table.rows[0].state?.reason
    #expect(reason?.count == 300)
    #expect(reason?.hasPrefix("?[2J?[2J") == true)
  }

  @Test func noPersonsPlaceIsSubscribedTo() {
    #expect(
      CourtTable.topics == [
        "ballmachine/+/availability", "ballmachine/+/state", "ballmachine/+/link",
        "ballmachine/+/balls", "ballmachine/+/drill", "ballmachine/+/problem",
        "ballmachine/+/version",
      ]
    )
  }
}
