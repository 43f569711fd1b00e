import Clocks
import Testing

@testable import WebPage

struct PairingCodeTests {
  private var code = PairingCode()
  private var random = SystemRandomNumberGenerator()

  private func after(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(sinceStart: .seconds(seconds))
  }

  /// Why a text is refused; nil: it is taken.
  private mutating func outcome(
    _ text: String,
    from host: UInt8 = 1,
    at seconds: Double = 1
  ) -> PairingRefusal? {
    guard let digits = PairingCode.digits(of: text) else { return .unknownCard }
    do throws(PairingRefusal) {
      try code.redeem(digits, from: ClientAddress(host: host), at: after(seconds))
      return nil
    } catch {
      return error
    }
  }

  private mutating func renew(at seconds: Double = 0) -> String {
    code.renew(at: after(seconds), using: &random)
  }

  /// Eight digits that are not these.
  private func wrong(_ digits: String, by number: Int = 1) -> String {
    String(String(200_000_000 + (Int(digits) ?? 0) + number).suffix(8))
  }

  @Test mutating func aCodeIsTakenOnce() {
    let digits = renew()
    #expect(outcome(digits) == nil)
    #expect(outcome(digits) == .noCode)
  }

  @Test mutating func withoutACodeNothingIsTaken() {
    #expect(outcome("00000000") == .noCode)
    _ = renew()
    code.withdraw()
    #expect(outcome("00000000") == .noCode)
  }

  @Test mutating func itIsTakenWithinFiveMinutes() {
    #expect(outcome(renew(at: 10), at: 309.9) == nil)
    #expect(outcome(renew(at: 10), at: 310) == .noCode)
  }

  /// A guest who guesses doesn't spoil it for others.
  @Test mutating func fiveWrongTriesLockTheirAddressAlone() {
    let digits = renew()
    for left in [4, 3, 2, 1] {
      #expect(outcome(wrong(digits, by: left)) == .wrongCode(triesLeft: left))
    }
    // Nothing says whether the digits were right.
    for text in [wrong(digits, by: 5), wrong(digits, by: 6), digits] {
      #expect(outcome(text) == .lockedOut)
    }
    #expect(outcome(wrong(digits), from: 2) == .wrongCode(triesLeft: 4))
    #expect(outcome(digits, from: 2) == nil)
  }

  @Test mutating func aNewCodeUnlocks() {
    let digits = renew()
    for number in 1...5 { _ = outcome(wrong(digits, by: number)) }
    #expect(outcome(digits) == .lockedOut)
    #expect(outcome(renew()) == nil)
  }

  @Test mutating func fiftyWrongTriesOfAllEndIt() {
    let digits = renew()
    for number in 1...49 {
      #expect(outcome(wrong(digits), from: UInt8(number)) == .wrongCode(triesLeft: 4))
    }
    #expect(outcome(wrong(digits), from: 50) == .usedUp)
    #expect(outcome(digits, from: 51) == .noCode)
  }

  /// What a locked address sends costs the others nothing.
  @Test mutating func theTriesOfALockedAddressDoNotCount() {
    let digits = renew()
    for number in 1...100 { _ = outcome(wrong(digits, by: number)) }
    #expect(outcome(digits, from: 2) == nil)
  }

  @Test mutating func thePhonesOfAnIPv6NetworkAreLockedTogether() throws {
    let phones = [1, 2].map { phone in
      ClientAddress(bytes: [0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, phone])
    }
    let digits = renew()
    for number in 1...5 {
      #expect(throws: PairingRefusal.self) {
        try code.redeem(Array(wrong(digits, by: number).utf8), from: phones[0], at: after(1))
      }
    }
    #expect(throws: PairingRefusal.lockedOut) {
      try code.redeem(Array(digits.utf8), from: phones[1], at: after(1))
    }
  }

  @Test mutating func theFifthTryMayBeTheRightOne() {
    let digits = renew()
    for left in [4, 3, 2, 1] { _ = outcome(wrong(digits, by: left)) }
    #expect(outcome(digits) == nil)
  }

  @Test mutating func aNewCodeReplacesTheOldOne() {
    let old = renew()
    var new = renew()
    while new == old { new = renew() }
    #expect(outcome(old) == .wrongCode(triesLeft: 4))
    #expect(outcome(new) == nil)
  }

  /// A hundred thousand guesses while a person asks for a thousand codes get at fifty each, from however
  /// many addresses.
  @Test mutating func bruteForceHasFiftyTriesACode() {
    var tried = 0
    for second in 0..<1000 {
      let digits = renew(at: Double(second))
      for guess in 1...100 {
        switch outcome(wrong(digits, by: guess), from: UInt8(guess), at: Double(second)) {
        case .wrongCode, .usedUp: tried += 1
        case .noCode: break
        default: Issue.record("a guess was taken")
        }
      }
    }
    #expect(tried == 50 * 1000)
  }

  @Test mutating func allCodesHaveEightDigits() {
    let codes = (0..<1000).map { _ in renew() }
    #expect(codes.allSatisfy { PairingCode.digits(of: $0) == Array($0.utf8) })
    // A hundred are to be expected.
    #expect(codes.contains { $0.hasPrefix("0") })
  }

  @Test(arguments: ["1234 5678", "1234-5678", " 12 34 56 78 ", "12345678"])
  func digitsMayBeGrouped(text: String) {
    #expect(PairingCode.digits(of: text) == Array("12345678".utf8))
  }

  @Test(arguments: ["", "1234567", "123456789", "1234567x", "١٢٣٤٥٦٧٨", "12345678\n", "-1234567"])
  func otherTextsAreNoCode(text: String) {
    #expect(PairingCode.digits(of: text) == nil)
  }
}
