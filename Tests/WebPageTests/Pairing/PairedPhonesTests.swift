import Clocks
import Host
import JSON
import Testing

@testable import WebPage

/// What the clocks may do to a pairing: a phone never outlives 12 h of either.
struct PairedPhonesTests {
  private static let hour = 3600.0
  private var time = PairingTime(
    wall: WallTime(secondsSince1970: 1_800_000_000),
    monotonic: MonotonicInstant(sinceStart: .seconds(500))
  )
  private var phones: PairedPhones
  private var random = SystemRandomNumberGenerator()

  init() { phones = PairedPhones(at: time) }

  private mutating func pair(card: Int? = nil) -> NewPhone {
    phones.add(name: "Android", card: card, at: time, using: &random)
  }

  /// Time passes, and the wall clock is set by as much more.
  private mutating func pass(_ hours: Double, setting jump: Double = 0) {
    time.monotonic = time.monotonic.advanced(by: .seconds(hours * Self.hour))
    time.wall = time.wall.advanced(by: .seconds((hours + jump) * Self.hour))
    phones.settle(at: time)
  }

  /// Off for so long, as the wall clock has it; the other clock begins at zero again.
  private mutating func restart(after hours: Double) throws {
    phones = try JSONValue(text: try JSONEncoding.line(phones)).decoded(as: PairedPhones.self)
    time.monotonic = MonotonicInstant(sinceStart: .seconds(20))
    time.wall = time.wall.advanced(by: .seconds(hours * Self.hour))
    phones.settle(at: time)
  }

  private mutating func isPaired(_ phone: NewPhone) -> Bool {
    let found = phones.phone(token: phone.token, at: time)
    #expect((found != nil) == phones.has(phone.phone.id))
    return found?.id == phone.phone.id
  }

  @Test mutating func aPhoneIsPairedFor12Hours() {
    let phone = pair()
    pass(11.99)
    #expect(isPaired(phone))
    pass(0.01)
    #expect(!isPaired(phone))
  }

  @Test mutating func onlyTheTokenCounts() {
    let phone = pair()
    for token in ["", "x", phone.token + "x", String(phone.token.dropLast()), "\(phone.phone.id)"] {
      #expect(phones.phone(token: token, at: time) == nil)
    }
    #expect(isPaired(phone))
  }

  @Test mutating func itIsSeen() throws {
    let phone = pair()
    pass(1)
    _ = phones.phone(token: phone.token, at: time)
    #expect(try #require(phones.phones.first).seen == time.wall)
  }

  @Test mutating func aRestartKeepsIt() throws {
    let phone = pair()
    pass(5)
    try restart(after: 1)
    #expect(isPaired(phone))
    pass(5.99)
    #expect(isPaired(phone))
    pass(0.02)
    #expect(!isPaired(phone))
  }

  @Test mutating func aClockThatIsSetForwardEndsItSooner() {
    let phone = pair()
    pass(1, setting: 10.9)
    #expect(isPaired(phone))
    pass(0.2)
    #expect(!isPaired(phone))
  }

  /// Nothing says how long ago it was paired.
  @Test(arguments: [-0.05, -6, -13, -1e5])
  mutating func aClockThatIsSetBackEndsIt(jump: Double) {
    let phone = pair()
    pass(0.01, setting: jump)
    #expect(!isPaired(phone))
    // It does not come back with the right time.
    pass(0.01, setting: -jump)
    #expect(!isPaired(phone))
    let next = pair()
    pass(1)
    #expect(isPaired(next))
  }

  @Test mutating func aClockThatWasSetBackWhileTheProgramWasOffEndsIt() throws {
    let phone = pair()
    pass(11)
    try restart(after: -10)
    #expect(!isPaired(phone))
  }

  @Test mutating func aCorrectionOfSecondsLeavesIt() {
    let phone = pair()
    pass(1, setting: -30 / Self.hour)
    #expect(isPaired(phone))
  }

  /// A wall clock that is held, or set back by a little again and again.
  @Test mutating func theOtherClockEndsItToo() {
    let phone = pair()
    for _ in 0..<1199 { pass(0.01, setting: -0.01) }
    #expect(isPaired(phone))
    pass(0.01, setting: -0.01)
    #expect(!isPaired(phone))
  }

  @Test mutating func afterARestartTheOtherClockCountsWhatWasLeft() throws {
    let phone = pair()
    pass(8)
    try restart(after: 0)
    for _ in 0..<399 { pass(0.01, setting: -0.01) }
    #expect(isPaired(phone))
    pass(0.02, setting: -0.02)
    #expect(!isPaired(phone))
  }

  /// A file can't promise more.
  @Test mutating func aPhoneFromTheFutureHasAtMost12Hours() throws {
    let phone = pair()
    var text = String(decoding: try JSONEncoding.line(phones), as: UTF8.self)
    let until = "\"until\":\"\(phone.phone.until.iso8601)\""
    #expect(text.contains(until))
    text = text.replacing(until, with: "\"until\":\"2099-01-01T00:00:00Z\"")
    phones = try JSONValue(text: Array(text.utf8)).decoded(as: PairedPhones.self)
    pass(0)
    #expect(isPaired(phone))
    pass(12)
    #expect(!isPaired(phone))
  }

  @Test mutating func ofTooManyTheOldestGoes() {
    let all = (0..<103).map { _ in pair() }
    #expect(phones.phones.map(\.id) == Array(4...103))
    #expect(!isPaired(all[2]))
    #expect(isPaired(all[3]))
  }

  @Test mutating func aNumberIsNeverGivenTwice() throws {
    _ = pair()
    let second = pair()
    phones.revoke(nil)
    try restart(after: 0)
    #expect(pair().phone.id == second.phone.id + 1)
  }

  @Test mutating func aRevokedPhoneIsNotPaired() {
    let (first, second) = (pair(), pair())
    #expect(phones.revoke(first.phone.id) == (1, 0))
    #expect(phones.revoke(first.phone.id) == (0, 0))
    #expect(!isPaired(first) && isPaired(second))
  }

  // MARK: Cards

  private mutating func card(days: Int) throws -> NewCard {
    try #require(phones.addCard(days: days, at: time, using: &random))
  }

  private mutating func isValid(_ card: NewCard) -> Bool {
    phones.card(secret: card.secret, at: time)?.id == card.card.id
  }

  @Test mutating func aCardIsValidForItsDays() throws {
    let card = try card(days: 2)
    pass(47.9)
    try restart(after: 0)
    #expect(isValid(card))
    #expect(phones.card(secret: card.secret + "x", at: time) == nil)
    pass(0.2)
    #expect(!isValid(card) && phones.cards == [])
  }

  @Test mutating func beforeItWasMadeItIsNotValid() throws {
    let card = try card(days: 2)
    pass(0, setting: -1)
    #expect(!isValid(card))
    pass(0, setting: 1)
    #expect(isValid(card))
  }

  @Test mutating func aRevokedCardTakesItsPhonesAlong() throws {
    let (card, other) = (try card(days: 2), pair())
    let (first, second) = (pair(card: card.card.id), pair(card: card.card.id))
    #expect(phones.revoke(card.card.id) == (2, 1))
    #expect(!isValid(card) && !isPaired(first) && !isPaired(second) && isPaired(other))
  }

  @Test mutating func cardsAreBounded() throws {
    for _ in 0..<20 { _ = try card(days: 1) }
    #expect(phones.addCard(days: 1, at: time, using: &random) == nil)
    pass(24)
    _ = try card(days: 1)
  }
}
