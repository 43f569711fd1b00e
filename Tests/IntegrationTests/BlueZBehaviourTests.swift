import Foundation
import Testing

/// The mock is held to what the real bluetoothd was seen to do.
///
/// `Behaviour.md` of MockMachine's documentation holds the records that were made on the real stack of
/// each version of BlueZ. Either setup must say the same as its version, in the same order; times are the box's.
/// Where BlueZ was seen to take another order too, the page has that record as well, and the mock keeps to the first.
@Suite(.onEitherSetup) struct BlueZBehaviourTests {
  /// `BALLMACHINE_SCENES` plays those scenes alone whose names contain one of these texts, with `|`
  /// between them.
  private static var scenes: [Behaviour] {
    guard let wanted = ProcessInfo.processInfo.environment["BALLMACHINE_SCENES"] else {
      return Behaviour.all
    }
    return Behaviour.all.filter { scene in
      wanted.split(separator: "|").contains { scene.name.contains($0) }
    }
  }

  @Test(.core, .onEveryBlueZ, arguments: scenes)
  func isAsRecorded(_ behaviour: Behaviour) async throws {
    if !behaviour.isCore { try longOnRealStack() }
    let record = try await behaviour.play()
    let lines = record.map { String(format: "%6.2f  ", $0.time) + $0.text }
    let block = "### \(behaviour.name)\n\n```\n\(lines.joined(separator: "\n"))\n```\n"
    try Self.keep(block)
    let seen = BehaviourPage.recorded.records(of: behaviour.name, by: Setups.bluez)
    let possible = Setups.realStack == nil ? seen.prefix(1) : seen[...]
    #expect(possible.contains(record.map(\.text)), "\(block)")
  }

  /// Puts a record of the real stack beside the run's logs, from where it can be put into the page.
  private static func keep(_ block: String) throws {
    guard let folder = Setups.realStack else { return }
    let url = URL(filePath: folder).appending(path: "logs/behaviour.md")
    let before = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    try (before + block + "\n").write(to: url, atomically: false, encoding: .utf8)
  }
}
