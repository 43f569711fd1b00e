import ControlProtocol
import Foundation
import Glibc
import Host
import TestSupport
import Testing

@testable import WebPage

struct PairingTests {
  private let test: TestPairing

  init() throws { test = try TestPairing() }

  @Test(.mustEnd) func aCodePairsOnePhone() async throws {
    let pairing = try test.start()
    let code = pairing.newCode()
    let new = try pairing.pair(code, name: "iPhone")
    #expect(pairing.phone(token: new.token)?.name == "iPhone")
    #expect(pairing.isPaired(new.phone.id))
    #expect(throws: PairingRefusal.noCode) { try pairing.pair(code, name: "iPhone") }
    test.pass(12 * 3600)
    #expect(pairing.phone(token: new.token) == nil && !pairing.isPaired(new.phone.id))
  }

  /// Guessing at cards spends no try of the code, and the other way round.
  @Test func cardsAndCodesAreApart() throws {
    let pairing = try test.start()
    let code = pairing.newCode()
    for guess in 0..<10 {
      #expect(throws: PairingRefusal.unknownCard) { try pairing.pair("card\(guess)", name: "") }
    }
    _ = try pairing.pair(code, name: "")
  }

  @Test(.mustEnd) func aCardPairsManyPhonesAndARestartKeepsAll() async throws {
    var pairing = try test.start()
    let card = try await pairing.newCard(days: 3)
    let first = try pairing.pair(card.secret, name: "Android")
    #expect(first.phone.card == card.card.id)
    _ = try await pairing.newCard(days: 1)
    pairing = try test.start()
    #expect(pairing.phone(token: first.token)?.id == first.phone.id)
    let second = try pairing.pair(card.secret, name: "Android")
    #expect(second.phone.id != first.phone.id)
    test.pass(3 * 86_400)
    #expect(throws: PairingRefusal.unknownCard) { try pairing.pair(card.secret, name: "") }
    #expect(test.complaints.withLock(\.self) == [])
  }

  @Test(.mustEnd) func theFileHasNoSecretAndIsOursAlone() async throws {
    let pairing = try test.start()
    let card = try await pairing.newCard(days: 1)
    let phone = try pairing.pair(card.secret, name: "Android")
    let code = pairing.newCode()
    _ = try await pairing.newCard(days: 1)
    let text = try test.text()
    #expect(text.contains("Android"))
    for secret in [phone.token, card.secret, code] { #expect(!text.contains(secret)) }
    var status = stat()
    try #require(lstat(test.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    try #require(try FileManager.default.contentsOfDirectory(atPath: test.folder.path).count == 1)
  }

  @Test(
    .mustEnd,
    arguments: [
      "", "{", "[]", "{}", "nonsense\0", #"{"phones":[{"id":1}]}"#,
      String(repeating: "x", count: 1 << 17),
    ]
  )
  func aDamagedFileIsKeptAside(content: String) async throws {
    _ = try test.folder.write(content, to: "phones.json")
    let pairing = try test.start()
    #expect(pairing.all().phones == [])
    let complaint = try #require(test.complaints.withLock(\.first))
    #expect(complaint.hasPrefix("no phone is paired: "))
    #expect(try String(contentsOfFile: test.path + ".broken", encoding: .utf8) == content)
    _ = try await pairing.newCard(days: 1)
    #expect(try test.start().all().cards.count == 1)
  }

  @Test(.mustEnd, arguments: [false, true])
  func aCopiedCardBringsNoPhones(isOfEarlierVersion: Bool) async throws {
    let (own, other) = ("board 1000a1", "board 1000e5")
    let first = try test.start(on: own)
    let card = try await first.newCard(days: 3)
    let phone = try first.pair(card.secret, name: "Android")
    // The disk has the phone before it.
    _ = try await first.newCard(days: 1)
    if isOfEarlierVersion {
      let marks = try #require(try test.text().firstMatch(of: /"marks" : \[[^\]]*\],\n */)?.output)
      _ = try test.folder.write(try test.text().replacing(marks, with: ""), to: "phones.json")
      let again = try test.start(on: own)
      #expect(again.phone(token: phone.token) != nil)
      // The next write gives it the box's.
      _ = try await again.newCard(days: 2)
    }
    #expect(try test.start(on: own).phone(token: phone.token) != nil)
    #expect(test.complaints.withLock(\.self) == [])
    let copy = try test.start(on: other)
    #expect(copy.phone(token: phone.token) == nil)
    #expect(throws: PairingRefusal.unknownCard) { try copy.pair(card.secret, name: "") }
    let complaints = test.complaints.withLock(\.self)
    #expect(
      complaints == [
        "no phone is paired: \(test.path) was written on another box; it is now \(test.path).broken"
      ]
    )
    _ = try await copy.newCard(days: 1)
    #expect(try test.start(on: other).all().cards.count == 1)
  }

  @Test func aFileThatOthersMayWriteIsNotBelieved() async throws {
    _ = try await test.start().newCard(days: 1)
    try #require(chmod(test.path, 0o666) == 0)
    #expect(try test.start().all().cards == [])
    #expect(test.complaints.withLock(\.count) == 1)
  }

  @Test(.mustEnd) func revocationsOutliveARestart() async throws {
    let pairing = try test.start()
    let code = pairing.newCode()
    let card = try await pairing.newCard(days: 1)
    let phones = try (0..<3).map { _ in try pairing.pair(card.secret, name: "") }
    #expect(try await pairing.revoke(phones[0].phone.id) == (1, 0))
    #expect(try test.start().phone(token: phones[0].token) == nil)
    #expect(try test.start().phone(token: phones[1].token) != nil)
    #expect(try await pairing.revoke(nil) == (2, 1))
    #expect(try test.start().all().phones == [])
    // The code that was shown is over, too.
    #expect(throws: PairingRefusal.noCode) { try pairing.pair(code, name: "") }
    let failure = await #expect(throws: ControlError.self) { try await pairing.revoke(77) }
    #expect(failure?.description.contains("no phone and no card 77") == true)
  }

  /// In memory it ends; that a restart would bring it back is said.
  @Test(.mustEnd) func aDiskThatTakesNothingIsReported() async throws {
    let pairing = try test.start()
    let phone = try pairing.pair(pairing.newCode(), name: "")
    _ = try await pairing.newCard(days: 1)
    // A folder in the new file's place: root may write anywhere else.
    try FileManager.default.createDirectory(
      atPath: test.path + ".new/x",
      withIntermediateDirectories: true
    )
    await #expect(throws: ControlError.self) { try await pairing.newCard(days: 1) }
    #expect(pairing.all().cards.count == 1)
    await #expect(throws: ControlError.self) { try await pairing.revoke(phone.phone.id) }
    #expect(pairing.phone(token: phone.token) == nil)
    #expect(test.complaints.withLock(\.last)?.contains("a restart brings back") == true)
  }

  /// Otherwise a clock that is set back during a restart would give a phone its time again.
  @Test(.mustEnd) func theFileKnowsHowLateItIs() async throws {
    let pairing = try test.start()
    let phone = try pairing.pair(pairing.newCode(), name: "")
    for _ in 0..<11 {
      test.pass(3600)
      #expect(pairing.isPaired(phone.phone.id))
    }
    let latest = test.time.withLock(\.wall.iso8601)
    while (try? test.text())?.contains(latest) != true { await Task.yield() }
    test.pass(-10 * 3600)
    #expect(try test.start().phone(token: phone.token) == nil)
  }

  /// A box without a clock battery, say.
  @Test(.mustEnd, arguments: [-3600, 40 * 86_400], [false, true])
  func aClockThatIsSetIsSaid(jump: Double, restart: Bool) async throws {
    var pairing = try test.start()
    let card = try await pairing.newCard(days: 90)
    for _ in 0..<2 { _ = try pairing.pair(card.secret, name: "") }
    // Once it is on the disk.
    _ = try await pairing.newCard(days: 90)
    test.time.withLock { $0.wall = $0.wall.advanced(by: .seconds(jump)) }
    if restart { pairing = try test.start() }
    #expect(pairing.all().phones == [])
    // Off for so long, or set: nothing tells.
    let isKnown = jump < 0 || !restart
    let complaint = "the clock was set: 2 phones must be paired again"
    #expect(test.complaints.withLock(\.self) == (isKnown ? [complaint] : []))
  }

  @Test(.mustEnd) func aPhonesEndIsNoNews() async throws {
    let pairing = try test.start()
    _ = try pairing.pair(pairing.newCode(), name: "")
    test.pass(11 * 3600)
    _ = try pairing.pair(pairing.newCode(), name: "")
    // A time server corrects the clock.
    test.time.withLock { $0.wall = $0.wall.advanced(by: .seconds(30)) }
    test.pass(3570)
    #expect(pairing.all().phones.count == 1)
    #expect(test.complaints.withLock(\.self) == [])
  }

  @Test(.mustEnd) func aPhoneMayLeave() async throws {
    let pairing = try test.start()
    let phone = try pairing.pair(pairing.newCode(), name: "")
    pairing.forget(phone.phone.id)
    #expect(pairing.phone(token: phone.token) == nil)
  }

  @Test(
    arguments: [
      ("Mozilla/5.0 (Linux; Android 11; SM-A125F) AppleWebKit/537.36", "Android"),
      ("Mozilla/5.0 (iPhone; CPU iPhone OS 15_0 like Mac OS X)", "iPhone"),
      ("Mozilla/5.0 (X11; Linux x86_64)", "Linux"), ("<script>", "phone"), (nil, "phone"),
    ] as [(String?, String)]
  )
  func aPhoneIsCalledByItsKind(userAgent: String?, name: String) {
    #expect(PhoneName.of(userAgent: userAgent) == name)
  }
}
