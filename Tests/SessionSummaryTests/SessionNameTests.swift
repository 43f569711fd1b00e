import Testing

@testable import SessionSummary

struct SessionNameTests {
  @Test(arguments: [("42", 42, 1, "42"), ("42.1", 42, 1, "42"), ("42.10", 42, 10, "42.10")])
  func aNameIsARunAndWhichOneOfIts(
    _ text: String,
    _ run: Int,
    _ arming: Int,
    _ written: String
  ) throws {
    let name = try #require(SessionName(text))
    #expect(name == SessionName(run: run, arming: arming) && "\(name)" == written)
  }

  @Test(arguments: [
    "", ".", "42.", ".2", "0", "42.0", "-1", "+1", "42.2.1", "x", "4 2", "99999999999999999999",
  ])
  func otherTextsAreNone(_ text: String) {
    #expect(SessionName(text) == nil)
  }
}
