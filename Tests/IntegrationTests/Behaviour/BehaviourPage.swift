import Foundation
import Testing

/// The records of `Behaviour.md`: of each scene, and of each version of BlueZ, what was seen.
///
/// A block below the scene's heading holds for the versions that the text before it names, or for all.
/// One that was seen "as well" holds for those of the block before it.
struct BehaviourPage {
  private static let versions = ["5.66", "5.82", "5.87"]

  private struct Record {
    var versions: [String]
    /// Without the times.
    var lines: [String]
  }

  private var scenes: [String: [Record]] = [:]

  static let recorded: BehaviourPage = {
    let path = "../../../Sources/MockMachine/MockMachine.docc/Behaviour.md"
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: path)
    return BehaviourPage((try? String(contentsOf: url, encoding: .utf8)) ?? "")
  }()

  init(_ text: String) {
    for section in text.components(separatedBy: "\n### ").dropFirst() {
      let parts = section.components(separatedBy: "```")
      guard let name = section.split(separator: "\n").first else { continue }
      var records: [Record] = []
      for index in stride(from: 1, to: parts.count, by: 2) {
        let words = index == 1 ? parts[0].dropFirst(name.count).description : parts[index - 1]
        let named = Self.versions.filter(words.contains)
        let isLikeTheLast = named.isEmpty && words.contains("as well")
        let last = isLikeTheLast ? records.last?.versions : nil
        let lines = parts[index].split(separator: "\n").map { line in
          line.drop { $0 == " " }.drop { $0 != " " }.drop { $0 == " " }.description
        }
        records.append(
          Record(versions: last ?? (named.isEmpty ? Self.versions : named), lines: lines)
        )
      }
      scenes[String(name)] = records
    }
  }

  /// What may be said in a scene; a version that has no record of its own is held to the one before it.
  func records(of scene: String, by version: String) -> [[String]] {
    let known = Self.versions.last { $0 <= version } ?? Self.versions[0]
    return (scenes[scene] ?? []).filter { $0.versions.contains(known) }.map(\.lines)
  }
}

@Suite struct BehaviourPageTests {
  private let page = BehaviourPage(
    """
    # Page

    ### All say the same

    ```
      0.01  > Connect
    ```

    ### They differ

    5.66:

    ```
      0.01  < Disconnect
      0.02  machine: Connected = false
    ```

    5.82 and 5.87:

    ```
      0.01  machine: Connected = false
    ```

    Seen as well:

    ```
      0.01  nothing
    ```
    """
  )

  @Test func whatIsSaidOnceHoldsForAll() {
    for version in ["5.66", "5.82", "5.87", "5.90"] {
      #expect(page.records(of: "All say the same", by: version) == [["> Connect"]])
    }
  }

  @Test(arguments: ["5.82", "5.85", "5.87", "5.90"])
  func aVersionHasItsOwnRecords(version: String) {
    let records = page.records(of: "They differ", by: version)
    #expect(records == [["machine: Connected = false"], ["nothing"]])
  }

  @Test func anEarlierVersionKeepsToItsOwn() {
    let records = page.records(of: "They differ", by: "5.66")
    #expect(records == [["< Disconnect", "machine: Connected = false"]])
  }

  @Test func whatIsNotThereHasNone() {
    #expect(page.records(of: "Else", by: "5.66").isEmpty)
  }
}
