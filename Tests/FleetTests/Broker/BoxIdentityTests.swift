import Foundation
import Host
import TestSupport
import Testing

@testable import Fleet

/// A card, and the hardware that it is in.
@Suite struct BoxIdentityTests {
  private let card: TemporaryDirectory
  private let directory: StateDirectory

  init() throws {
    let card = try TemporaryDirectory()
    self.card = card
    directory = try StateDirectory(variable: { _ in card.path })
  }

  private static let pi = ["board 10000000a1b2c3d4", "adapter dc:a6:32:00:00:01"]
  private static let otherPi = ["board 10000000e5f60718", "adapter dc:a6:32:00:00:02"]
  private static let dongle = "usb 00:e0:4c:00:00:01"
  private static let otherDongle = "usb 00:e0:4c:00:00:02"
  private static let plugged: [String] = pi + [dongle]
  private static let otherPlugged: [String] = otherPi + [dongle]

  private func load(_ marks: [String]) throws -> String {
    let identity = BoxIdentity(in: directory, marks: BoxMarks(lines: marks.map { $0[...] }))
    let id = try identity.load()
    #expect(identity.known == id)
    return id
  }

  /// The marks of one start after the other.
  private static let starts: [[[String]]] = [
    [pi, pi],
    [pi, plugged, [pi[0], pi[1], otherDongle], pi],
    // One that is there from time to time.
    [pi, [], pi],
    [["adapter 1", "adapter 2"], ["adapter 2"], ["adapter 1"]],
    [[dongle, otherDongle], [otherDongle], [dongle]],
    // Nothing that both have.
    [[pi[1]], [dongle], [pi[1]]],
    [[], []],
    [[], pi, pi],
  ]

  @Test(arguments: starts)
  func aBoxKeepsItsID(_ starts: [[String]]) throws {
    #expect(Set(try starts.map(load)).count == 1)
  }

  private static let boxes: [[[String]]] = [
    [pi, otherPi],
    // Both were set up with the same adapter.
    [plugged, otherPlugged],
    [[pi[1]], [otherPi[1]]],
    [[dongle], [otherDongle]],
  ]

  @Test(arguments: boxes)
  func aCopyOfTheCardMakesAnID(_ boxes: [[String]]) throws {
    let first = try load(boxes[0])
    let identity = BoxIdentity(
      in: directory,
      marks: BoxMarks(lines: boxes[1].map { $0[...] })
    )
    #expect(identity.known == nil)
    let second = try load(boxes[1])
    #expect(second != first)
    #expect(try load(boxes[1]) == second)
  }

  /// One that an earlier version has left.
  @Test func anIDWithoutMarksGetsThoseOfItsBox() throws {
    let id = String(repeating: "0f", count: 16)
    _ = try card.write("\(id)\n", to: "box")
    #expect(try load(Self.pi) == id)
    #expect(try load(Self.otherPi) != id)
  }

  @Test func aFileOfManyAdaptersStaysShort() throws {
    for number in 1...200 { _ = try load(["usb shared", "usb 00:e0:4c:00:00:\(number)"]) }
    let size = try Data(contentsOf: URL(fileURLWithPath: card("box"))).count
    #expect(size < StateFile.longest / 2)
  }
}
