import Foundation
import MachineLink
import Testing

@testable import Bridge
@testable import Configuration
@testable import ControlProtocol
@testable import Safety

/// The manual page of the protocol has all words that the protocol has.
struct ProtocolPageTests {
  private let page: String

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "tools/man/ballmachine-protocol.7")
    // A dash that is typed is no hyphen, and a bold word is still a word.
    page = try String(contentsOf: file, encoding: .utf8).replacing("\\-", with: "-")
      .replacing(/\\f[BP]/, with: "")
  }

  @Test(arguments: ControlMethod.allCases)
  func everyMethodWithItsRole(_ method: ControlMethod) throws {
    let role = method.role
    let text = try #require(try entry(method.rawValue, in: "Methods"))
    let needed = role == .none ? "Every client may.\n" : "Needs\n.Cm \(role.rawValue) .\n"
    #expect(text.hasSuffix(needed), "\(text)")
  }

  @Test func noMethodThatThereIsNot() throws {
    let told = try section("Methods").components(separatedBy: "\n.It Cm ").dropFirst()
      .map { $0.prefix { $0 != "\n" } }
    #expect(Set(told) == Set(ControlMethod.allCases.map { $0.rawValue[...] }))
  }

  @Test(arguments: ControlRole.allCases)
  func everyRoleWithItsGroup(_ role: ControlRole) throws {
    let text = try #require(try entry(role.rawValue, in: "Roles"))
    if let group = ControlSettings().group(for: role) { #expect(text.contains(".Ql \(group) ")) }
  }

  @Test(arguments: ControlError.Code.allCases)
  func everyError(_ code: ControlError.Code) throws {
    #expect(try section("Errors").contains("\n.It \(code.rawValue)\n"))
  }

  @Test func everyStateAndReason() throws {
    let words = Set(page.split { !$0.isLetter }.map(String.init))
    let states = LinkStatus.Phase.allCases.map(\.rawValue)
    let reasons =
      SafetyState.DisarmReason.allCases.map(\.rawValue)
      + SafetyState.CountdownReason.allCases.map(\.rawValue)
      + SafetyState.PauseReason.allCases.map(\.rawValue)
    #expect((states + reasons).filter { !words.contains($0) } == [])
  }

  /// The subsection with this heading, without the members of records.
  private func section(_ heading: String) throws -> Substring {
    let begin = try #require(page.firstRange(of: "\n.Ss \(heading)\n"))
    let rest = page[begin.upperBound...]
    return rest[..<(rest.firstRange(of: "\n.Ss ")?.lowerBound ?? rest.endIndex)]
      .replacing(/(?s)\.\\" generated .*?\n\.\\" end\n/, with: "")
  }

  /// What a list in a subsection says of a word.
  private func entry(_ word: String, in heading: String) throws -> Substring? {
    let section = try section(heading)
    guard let begin = section.firstRange(of: "\n.It Cm \(word)\n") else { return nil }
    let rest = section[begin.upperBound...]
    let ends = ["\n.It ", "\n.El"].compactMap { rest.firstRange(of: $0)?.lowerBound }
    return rest[..<(ends.min().map { rest.index(after: $0) } ?? rest.endIndex)]
  }
}
