import JSON
import Testing

@testable import Fleet

@Suite struct IndexedCourtTests {
  private func index(_ courts: String...) -> CourtIndex {
    courts.reduce(CourtIndex()) { $0.adding($1) }
  }

  @Test func aCourtAddsItselfOnceToWhatIsThere() {
    var court = IndexedCourt("court-2")
    #expect(court.receive(index("court-9", "court-1")) == true)
    // It waits for its turn.
    #expect(court.receive(index("court-1")) == false)
    let written = court.write()
    let text = written.map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(text == #"{"courts":["court-1","court-2"]}"#)
    #expect(court.receive(written ?? CourtIndex()) == false)
    #expect(court.write() == nil)
  }

  @Test func aCourtWithoutAnIndexBeginsOne() {
    var court = IndexedCourt("court-2")
    #expect(court.isMissing() == true)
    #expect(court.write() == index("court-2"))
    // The broker has lost it, or a person has removed it.
    #expect(court.receive(CourtIndex()) == true)
  }

  @Test(arguments: ["x", "[]", "{}", #"{"courts":1}"#, #"{"courts":[1]}"#])
  func anIndexThatCannotBeReadNamesNone(_ text: String) {
    #expect(CourtIndex(payload: Array(text.utf8)).courts == [])
  }

  @Test func namesOfNoCourtAreLeftOut() {
    let long = String(repeating: "d", count: 33)
    let text = #"{"courts":["b","A","+","","a/b","b","a","-c","\#(long)"]}"#
    #expect(CourtIndex(payload: Array(text.utf8)).courts == ["a", "b"])
  }

  @Test func anIndexHasABound() {
    let index = (0..<1_200).reduce(CourtIndex()) { $0.adding("court-\($1)") }
    #expect(index.courts.count == 1_000)
    #expect(CourtIndex(payload: index.payload) == index)
    var court = IndexedCourt("late")
    #expect(court.receive(index) == false)
    #expect(index.removing("court-0").adding("late").contains("late"))
    let long = (0..<1_000).map { "\"\(String(repeating: "a", count: 28))\($0 + 1_000)\"" }
    let text = #"{"courts":[\#(long.joined(separator: ","))]}"#
    #expect(CourtIndex(payload: Array(text.utf8)).courts.count == 1_000)
  }

  /// A hundred courts come to a broker that keeps none. Each write reaches all others two steps later, and
  /// replaces what was there.
  @Test(arguments: 1...20) func aHundredCourtsAgree(seed: UInt64) {
    var random = Numbers(state: seed)
    var courts = (0..<100).map { IndexedCourt("court-\($0)") }
    var kept = CourtIndex()
    var due: [Int: [Int]] = [:]
    var coming: [Int: [CourtIndex]] = [:]
    var writes = 0
    for index in courts.indices where courts[index].isMissing() {
      due[Int.random(in: 1...50, using: &random), default: []].append(index)
    }
    var now = 0
    while !due.isEmpty || !coming.isEmpty {
      now += 1
      for written in coming.removeValue(forKey: now) ?? [] {
        for index in courts.indices where courts[index].receive(written) {
          due[now + Int.random(in: 1...50, using: &random), default: []].append(index)
        }
      }
      for index in due.removeValue(forKey: now) ?? [] {
        guard let written = courts[index].write() else { continue }
        writes += 1
        kept = written
        coming[now + 2, default: []].append(written)
      }
    }
    #expect(kept.courts.count == 100)
    #expect(writes < 1_000, "\(writes) writes")
  }

  /// Equal ones for equal seeds.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
