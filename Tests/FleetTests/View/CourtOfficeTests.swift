import Fleet
import Host
import Terminal
import Testing

/// The office's screen under the hands of a person.
@Suite struct CourtOfficeTests {
  /// An office of 80 by 24, where nothing is otherwise.
  private final class Person {
    var academy = Academy.evening
    var office = CourtOffice(.init(broker: "b"), CourtScreen())
    var (width, height) = (80, 24)
    var now = Academy.now

    func look() -> [String] {
      now = now.advanced(by: .milliseconds(250))
      return draw()
    }

    func draw() -> [String] {
      office.frame(
        academy.table,
        width: width,
        height: height,
        abilities: TerminalAbilities(colours: false),
        now: now,
        hasKeys: true
      )
    }

    func press(_ keys: TerminalKey...) -> [String] {
      _ = look()
      for key in keys {
        let goesOn = office.press(key)
        #expect(goesOn)
        _ = look()
      }
      return look()
    }

    func type(_ text: String) -> [String] {
      for character in text { _ = press(.character(character)) }
      return look()
    }
  }

  private func chosen(_ lines: [String]) -> String? {
    lines.first { $0.dropFirst().hasPrefix(">") }
      .map { String($0.dropFirst(2).prefix { $0 != " " }) }
  }

  @Test func theArrowsChooseACourt() {
    let person = Person()
    #expect(chosen(person.look()) == nil)
    #expect(chosen(person.press(.down)) == "court-30")
    #expect(chosen(person.press(.down, .down)) == "court-21")
    #expect(chosen(person.press(.up)) == "court-17")
    #expect(chosen(person.type("jjk")) == "court-21")
    #expect(chosen(person.press(.end)) == "court-29")
    #expect(chosen(person.press(.down)) == "court-29")
    #expect(chosen(person.press(.home)) == "court-30")
    #expect(chosen(person.press(.up)) == "court-30")
    #expect(chosen(person.press(.escape)) == nil)
  }

  @Test func whatIsHiddenIsCounted() {
    let person = Person()
    let end = person.press(.end)
    #expect(end.contains("11 above, 2 of them to look at"))
    #expect(end.contains(" >court-29  Court 29  offline, was disarmed"))
    _ = person.press(.home, .pageDown)
    #expect(chosen(person.press(.pageDown)) == "court-29")
    #expect(chosen(person.press(.pageUp)) == "court-5")
    let goesOn = person.office.press(.character("q"))
    #expect(!goesOn)
  }

  /// The person looks at one court, wherever it goes, and whatever the size of the terminal.
  @Test func theChosenCourtStaysChosen() {
    let person = Person()
    #expect(chosen(person.press(.end, .up)) == "court-28")
    person.height = 9
    #expect(chosen(person.look()) == "court-28")
    person.height = 24
    #expect(chosen(person.look()) == "court-28")
    person.academy.say(.availability, of: "court-28", "online", isNew: true)
    let lines = person.look()
    #expect(chosen(lines) == "court-28")
    #expect(lines.contains { $0.hasPrefix(" >court-28  Court 28  disarmed") })
    #expect(chosen(person.type("o")) == "court-28")
    #expect(lines.contains { $0.contains("6 above, 5 below, 2 of them to look at") })
  }

  @Test func aFilterIsTyped() {
    let person = Person()
    var lines = person.type("/court-2")
    #expect(lines.contains("/court-2_  11 of 30 courts"))
    lines = person.type("1")
    #expect(lines.contains("/court-21_  1 of 30 courts"))
    #expect(lines.contains { $0.hasPrefix("  court-21") })
    // These are letters now.
    lines = person.type("qo")
    #expect(lines.contains("none of 30 courts"))
    lines = person.press(.backspace, .backspace, .enter)
    #expect(lines.contains("/court-21  1 of 30 courts"))
    #expect(person.press(.enter)[0] == "court-21  Court 21 on b")
    _ = person.press(.escape)
    lines = person.press(.escape)
    #expect(!lines.contains { $0.hasPrefix("/") })
    #expect(chosen(lines) == "court-21")
    _ = person.type("/")
    #expect(!person.press(.escape).contains { $0.hasPrefix("/") })
  }

  @Test func aPageHasAllThatACourtHasSaid() {
    let person = Person()
    let then = Academy.since.local
    person.academy.add(
      "court-21",
      more: #","reason":"resumed","holds":[{"reason":"no player is seen"},{"reason":"too near"}]"#
    )
    person.academy.say(
      .state,
      of: "court-21",
      #"""
      {"state":"live","mode":"REAL","since":"\#(Academy.since.iso8601)","reason":"resumed",
       "holds":[{"reason":"no player is seen"},{"reason":"too near"}]}
      """#
    )
    person.academy.say(
      .drill,
      of: "court-21",
      #"{"drill":"two-corners","set":2,"sets":3,"ball":4,"ballsPerSet":10,"level":"beginner"}"#
    )
    person.academy.say(.balls, of: "court-21", #"{"session":24,"total":100,"byHand":3}"#)
    person.academy.say(
      .problem,
      of: "court-21",
      #"{"problems":[{"code":"disk","text":"the disk is nearly full","remedy":"remove old logs"}]}"#
    )
    let lines = person.type("/court-21")
    #expect(!lines.isEmpty)
    #expect(
      person.press(.enter, .enter).joined(separator: "\n") == """
        court-21  Court 21 on b

        Box       online
        Trouble   the disk is nearly full; remove old logs
        State     LIVE, REAL, since \(then)
                  resumed
        Held by   no player is seen
                  too near
        Link      ready
        Balls     24 in this session, 100 since the service began, 3 by hand
        Drill     two-corners, set 2 of 3, ball 4 of 10, level beginner
        Problems  the disk is nearly full; remove old logs

        Name      Court 21
        Version   2.0.0








        Esc goes back; `ballmachine mqtt stop court-21' stops its machine
        """
    )
    person.height = 8
    #expect(person.look()[6] == "0 lines above, 9 below")
    #expect(person.press(.pageDown)[6] == "4 lines above, 5 below")
    let end = person.press(.end)
    #expect(end[5...6] == ["Version   2.0.0", "9 lines above, 0 below"])
    #expect(person.press(.down) == end)
    person.height = 24
    #expect(person.look()[2] == "Box       online")
    // Back to the table.
    #expect(person.press(.character("q"))[0].hasPrefix("Courts on b"))
  }

  @Test func thePageOfACourtThatIsOffDatesItsWords() {
    let person = Person()
    person.academy.say(.availability, of: "court-21", "offline", isNew: true)
    _ = person.type("/court-21")
    let lines = person.press(.enter, .enter)
    let now = Academy.now.local
    #expect(
      lines.prefix(10).joined(separator: "\n") == """
        court-21  Court 21 on b

        Box       offline since \(now)
        Trouble   its box is off or has lost the broker; its last state was LIVE: balls
                  may still fly

        Before it went off at \(now):
        State     LIVE, REAL, since \(Academy.since.local)
        Link      ready
        Balls     147 in this session, 100 since the service began
        """
    )
    person.academy.say(.availability, of: "court-21", "", isNew: true)
    #expect(person.look()[2] == "court-21 is not on this broker any more")
    #expect(person.press(.escape)[0].hasPrefix("Courts on b  29 courts"))
  }

  @Test func everyScreenFitsEveryTerminal() {
    let person = Person()
    for keys: [TerminalKey] in [
      [], [.end], [.enter], [.pageDown], [.escape], [.escape, .character("/")],
    ] {
      for key in keys { _ = person.press(key) }
      for width in [0, 1, 9, 40, 80, 200] {
        for height in [0, 1, 2, 3, 4, 5, 6, 10, 24, 60] {
          (person.width, person.height) = (width, height)
          let lines = person.look()
          #expect(lines.count <= height)
          #expect(lines.allSatisfy { $0.count <= max(width, 1) })
        }
      }
    }
  }

  /// Many messages a second draw no more than a few do, also if the clock is set back meanwhile.
  @Test func newsIsDrawnFourTimesASecond() {
    let person = Person()
    let before = person.look()
    person.academy.say(.availability, of: "court-21", "offline", isNew: true)
    #expect(person.draw() == before)
    #expect(person.look() != before)
    person.academy.say(.availability, of: "court-21", "online", isNew: true)
    person.now = person.now.advanced(by: .seconds(-3_600))
    #expect(person.draw() == before)
  }

  @Test func whatAgesIsDrawnAgain() {
    let person = Person()
    let stop = #"{"outcome":"pending"}"#
    person.academy.say(
      .state,
      of: "court-24",
      #"{"state":"stopped","mode":"REAL","stop":\#(stop)}"#
    )
    #expect(person.look()[3].hasPrefix("! court-30"))
    #expect(!person.look()[4].contains("court-24"))
    person.now = person.now.advanced(by: .seconds(16))
    #expect(person.look()[4].hasPrefix("! court-24  Court 24  stopping"))
  }
}
