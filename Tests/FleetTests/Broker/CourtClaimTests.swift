import Testing

@testable import Fleet

@Suite struct CourtClaimTests {
  private static let own = "77777777abcdef0123456789abcdef01"
  private static let greater = #"{"box":"f00"}"#
  private static let lesser = #"{"box":"100"}"#

  private var claim = CourtClaim(box: own)

  @discardableResult
  private mutating func hear(_ text: String, isKept: Bool = false) -> [CourtClaim.Action] {
    claim.receive(Array(text.utf8), isKept: isKept)
  }

  /// Lets the last wait pass.
  private mutating func wait(_ actions: [CourtClaim.Action]) -> [CourtClaim.Action] {
    guard case .wait(_, let number)? = actions.last else { return [] }
    return claim.expire(number)
  }

  /// A court that the broker knows nothing of.
  private mutating func take() -> [CourtClaim.Action] {
    wait(wait(claim.isComplete()))
  }

  @Test mutating func aCourtWithoutABoxIsTakenOnceNoOwnerHasAnswered() {
    let question = claim.isComplete()
    #expect(question == [.ask, .wait(.answer, number: 1)])
    let taken = wait(question)
    #expect(taken == [.open, .wait(.answer, number: 2)])
    #expect(claim.state == .claiming)
    #expect(wait(taken) == [])
    #expect(claim.state == .held)
  }

  @Test mutating func itsOwnKeptMessageIsItsOwn() {
    #expect(claim.receive(claim.payload, isKept: true) == [.open])
    #expect(claim.state == .held)
    #expect(claim.isComplete() == [])
  }

  @Test mutating func anOwnerThatAnswersKeepsItsCourt() {
    let question = claim.isComplete()
    // The question itself comes back.
    #expect(hear("") == [])
    #expect(hear(Self.lesser) == [.refuse(by: "100"), .leave])
    #expect(wait(question) == [])
    #expect(claim.state == .others("100", isKept: false))
  }

  @Test(arguments: [false, true])
  mutating func anOwnerAnswersAQuestion(isNew: Bool) {
    if isNew { _ = wait(claim.isComplete()) } else { _ = take() }
    #expect(hear("") == [.repeatAll])
    #expect(claim.isOwn)
  }

  @Test mutating func ofTwoNewcomersTheOneWithTheGreaterIDKeepsTheCourt() {
    _ = wait(claim.isComplete())
    #expect(hear(Self.lesser) == [.claim])
    #expect(claim.state == .claiming)
    #expect(hear(Self.greater) == [.refuse(by: "f00"), .leave])
  }

  @Test mutating func aKeptClaimIsNoNewcomers() {
    _ = wait(claim.isComplete())
    #expect(hear(Self.lesser, isKept: true) == [.refuse(by: "100"), .leave])
  }

  @Test mutating func anotherOneThatComesLaterHasIt() {
    _ = take()
    #expect(hear(Self.lesser) == [.refuse(by: "100"), .leave])
  }

  @Test mutating func anotherBoxHasItUntilItIsRemovedAndThenItIsAskedForAtOnce() {
    hear(Self.greater, isKept: true)
    #expect(claim.state == .others("f00", isKept: true))
    #expect(claim.isComplete() == [])
    let question = hear("")
    #expect(question == [.ask, .wait(.answer, number: 2)])
    #expect(wait(question).first == .open)
  }

  @Test mutating func anotherBoxThatTheNextConnectionDoesNotNameMayComeBack() {
    hear(Self.greater, isKept: true)
    claim.reconnect()
    #expect(claim.former == .other)
    let waiting = claim.isComplete()
    #expect(waiting == [.wait(.comeback, number: 3)])
    // Another try, and still no word.
    claim.reconnect()
    #expect(claim.expire(3) == [])
    let question = wait(claim.isComplete())
    #expect(question.first == .ask)
    #expect(wait(question).first == .open)
    claim.reconnect()
    #expect(claim.former == .this)
  }

  @Test mutating func aRemovalEndsTheWaitForAnotherBox() {
    claim = CourtClaim(box: Self.own, former: .other)
    #expect(claim.isComplete() == [.wait(.comeback, number: 1)])
    // The owner that comes back asks, too.
    #expect(hear("") == [])
    claim.receive(removal: true)
    #expect(hear("").first == .ask)
  }

  /// The rest of the removal did not come: what is empty then is an owner's question.
  @Test mutating func aRemovalThatTheConnectionCutIsOver() {
    claim = CourtClaim(box: Self.own, former: .other)
    _ = claim.isComplete()
    claim.receive(removal: true)
    claim.reconnect()
    _ = claim.isComplete()
    #expect(hear("") == [])
    #expect(claim.state == .waiting && claim.former == .other)
  }

  /// On a broker that keeps nothing.
  @Test mutating func aRefusedBoxLeavesTheCourtToAnOwnerThatAsks() {
    _ = claim.isComplete()
    hear(Self.lesser)
    let waiting = hear("")
    #expect(waiting == [.wait(.comeback, number: 3)])
    #expect(hear(Self.lesser) == [.refuse(by: "100"), .leave])
    #expect(wait(waiting) == [])
    claim.receive(removal: true)
    #expect(hear("").first == .ask)
  }

  @Test(arguments: [
    "x", "{}", "[]", #"{"box":1}"#, #"{"box":null}"#, #"{"box":""}"#, "\u{1}",
    #"{"box":"f00"}"# + String(repeating: " ", count: 1_024),
    #"{"box":"\#(String(repeating: "f", count: 65))"}"#,
  ])
  mutating func whatCannotBeReadIsMendedByTheOwnerAlone(_ text: String) {
    let count = text.utf8.count
    #expect(hear(text, isKept: true) == [.report(unreadable: count, isMended: false), .leave])
    #expect(claim.isComplete() == [])
    // The owner of the last run asks before it mends that.
    #expect(hear("") == [.wait(.comeback, number: 2)])
    hear(text)
    #expect(claim.state == .unreadable)
    claim.receive(removal: true)
    #expect(hear("").first == .ask)

    claim = CourtClaim(box: Self.own)
    _ = take()
    #expect(hear(text) == [.report(unreadable: count, isMended: true), .claim])
    #expect(claim.isOwn)

    // The owner of the last run, unless another box has it by now.
    for hasOther in [true, false] {
      claim = CourtClaim(box: Self.own, former: .this)
      let question = hear(text, isKept: true)
      #expect(question.prefix(2) == [.report(unreadable: count, isMended: true), .ask])
      #expect(hear(text) == [])
      if hasOther { hear(Self.greater) }
      #expect(wait(question).first == (hasOther ? nil : .open))
    }
  }

  @Test mutating func aBoxThatIsRefusedLeavesTheMendingToTheOwner() {
    hear(Self.greater, isKept: true)
    #expect(hear("x") == [])
    #expect(claim.state == .others("f00", isKept: true))
  }

  /// Both claim at once, on a broker that keeps nothing or keeps the last one.
  @Test(arguments: [[0, 1], [1, 0]]) func twoNewcomersAgree(_ order: [Int]) {
    var claims = ["100", "f00"].map { CourtClaim(box: $0) }
    for index in claims.indices {
      if case .wait(_, let number)? = claims[index].isComplete().last {
        #expect(claims[index].expire(number).first == .open)
      }
    }
    var messages = order.map { claims[$0].payload }
    var count = 0
    while !messages.isEmpty {
      count += 1
      guard count < 10 else {
        Issue.record("they go on")
        return
      }
      let message = messages.removeFirst()
      for index in claims.indices {
        for case .claim in claims[index].receive(message, isKept: false) {
          messages.append(claims[index].payload)
        }
      }
    }
    #expect(claims.map(\.isOwn) == [false, true])
  }
}
