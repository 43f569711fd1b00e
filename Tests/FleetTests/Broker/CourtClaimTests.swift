import Testing

@testable import Fleet

@Suite struct CourtClaimTests {
  private static let own = "0123456789abcdef0123456789abcdef"
  private var claim = CourtClaim(box: own)

  @Test mutating func aCourtWithoutABoxIsTaken() {
    #expect(claim.owner == .unknown)
    claim.takeFree()
    #expect(claim.owner == .this)
  }

  @Test mutating func itsOwnMessageIsItsOwn() {
    claim.receive(claim.payload)
    #expect(claim.owner == .this)
  }

  @Test mutating func anotherBoxHasItUntilItIsRemoved() {
    claim.receive(Array(#"{"box":"f00"}"#.utf8))
    #expect(claim.owner == .other("f00"))
    claim.takeFree()
    #expect(claim.owner == .other("f00"))
    claim.receive([])
    #expect(claim.owner == .unknown)
  }

  @Test mutating func anotherBoxThatTheNextConnectionDoesNotNameHasItNoMore() {
    claim.receive(Array(#"{"box":"f00"}"#.utf8))
    claim.reconnect()
    #expect(claim.owner == .formerOther)
    // Another try, and still no word.
    claim.reconnect()
    #expect(claim.owner == .formerOther)
    claim.takeFree()
    #expect(claim.owner == .this)
    claim.reconnect()
    #expect(claim.owner == .this)
  }

  @Test(arguments: ["x", "{}", "[]", #"{"box":1}"#, #"{"box":null}"#])
  mutating func whatCannotBeReadIsAnotherBoxes(_ text: String) {
    claim.receive(Array(text.utf8))
    #expect(claim.owner != .this)
    claim.takeFree()
    #expect(claim.owner != .this)
  }

  @Test mutating func anotherOneThatComesLaterHasIt() {
    claim.takeFree()
    claim.receive(Array(#"{"box":"f00"}"#.utf8))
    #expect(claim.owner == .other("f00"))
  }
}
