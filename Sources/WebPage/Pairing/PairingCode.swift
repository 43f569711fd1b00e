package import Clocks

/// The code that a person reads at the box and types on a phone: for one phone, within minutes.
///
/// Five wrong tries lock the address that they come from, until there is a new code: guesses of one don't
/// end the code for others. The wrong tries of all addresses together end it, so that guesses from
/// many have fifty of a hundred million.
package struct PairingCode: Sendable {
  package static let life: Duration = .seconds(300)
  package static let tries = 5
  package static let triesOfAll = 50
  private static let count = 8

  private struct Current {
    var digits: [UInt8]
    var end: MonotonicInstant
    /// The wrong tries of each address: no more addresses than ``triesOfAll``.
    var wrong: [ClientAddress: Int] = [:]
  }

  private var current: Current?

  package init() {}

  /// Replaces the code by a new one.
  package mutating func renew(
    at now: MonotonicInstant,
    using generator: inout some RandomNumberGenerator
  ) -> String {
    let number = UInt32.random(in: 0..<100_000_000, using: &generator)
    let digits = String(String(100_000_000 + number).dropFirst())
    current = Current(digits: Array(digits.utf8), end: now.advanced(by: Self.life))
    return digits
  }

  package mutating func withdraw() { current = nil }

  /// Whether a text is meant as such a code: people group the digits.
  static func digits(of text: String) -> [UInt8]? {
    let digits = text.utf8.filter { !" -".utf8.contains($0) }
    return digits.count == count && digits.allSatisfy("0123456789".utf8.contains) ? digits : nil
  }

  /// Takes the code, which ends it. A locked address doesn't hear whether its digits were right, and its
  /// tries don't count.
  mutating func redeem(
    _ digits: [UInt8],
    from address: ClientAddress,
    at now: MonotonicInstant
  ) throws(PairingRefusal) {
    guard var code = current else { throw .noCode }
    guard now < code.end else {
      current = nil
      throw .noCode
    }
    let wrong = code.wrong[address, default: 0]
    guard wrong < Self.tries else { throw .lockedOut }
    guard digits == code.digits else {
      code.wrong[address] = wrong + 1
      current = code.wrong.values.reduce(0, +) < Self.triesOfAll ? code : nil
      guard current != nil else { throw .usedUp }
      throw wrong + 1 < Self.tries ? .wrongCode(triesLeft: Self.tries - wrong - 1) : .lockedOut
    }
    current = nil
  }
}

/// Why a phone is not paired.
package enum PairingRefusal: Error, Hashable, Sendable {
  /// No code is shown, or it is too old, or a phone has had it.
  case noCode
  case wrongCode(triesLeft: Int)
  /// Too many wrong codes of this address.
  case lockedOut
  /// Too many wrong codes of all addresses.
  case usedUp
  /// No such card, or none that is valid now.
  case unknownCard

  /// The problem's word for programs.
  package var code: String {
    switch self {
    case .noCode: "noCode"
    case .wrongCode: "wrongCode"
    case .lockedOut: "lockedOut"
    case .usedUp: "codeUsedUp"
    case .unknownCard: "unknownCard"
    }
  }
}

extension PairingRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noCode: "no code is valid now: run `ballmachine pair-phone' on the box for a new one"
    case .wrongCode(1): "the code is wrong: one try is left"
    case .wrongCode(let tries): "the code is wrong: \(tries) tries are left"
    case .lockedOut:
      "too many wrong codes came from this phone's address, which this code no longer pairs: run"
        + " `ballmachine pair-phone' on the box for a new one"
    case .usedUp:
      "the code is wrong, and was wrong too often: run `ballmachine pair-phone' for a new one"
    case .unknownCard: "this card is not valid, or not any more: ask for a new one"
    }
  }
}
