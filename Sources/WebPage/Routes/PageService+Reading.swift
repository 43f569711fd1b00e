import ControlProtocol

extension PageService {
  func readPaired(_ path: Substring) async -> HTTPAnswer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("table", 1): return await ask(.table)
    case ("metrics", 1): return await ask(.metrics)
    case ("drills", 1): return await ask(.drills)
    case ("sessions", 1): return await report(["sessions", "--json"]) { .sessions($0) }
    case ("sessions", 2) where Self.isSession(parts[1]):
      return await report(["session", String(parts[1]), "--json"]) { .json(text: $0) }
    case ("sessions", 3) where parts[2] == "picture" && Self.isSession(parts[1]):
      return await report(["session", String(parts[1]), "--svg", "-"]) {
        HTTPAnswer(200, "image/svg+xml", $0)
      }
    case ("camera", ...2): return await cameras.read(parts.count == 1 ? "" : parts[1])
    default: return .notHere
    }
  }

  /// `last`, or a number such as 42 or 42.2.
  private static func isSession(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return text == "last"
      || parts.count <= 2
        && parts.allSatisfy { part in
          (1...9).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
        }
  }

  func ask(_ request: ControlRequest) async -> HTTPAnswer {
    do { return .json(try await bridge.call(request)) } catch { return .failure(error) }
  }

  private func report(
    _ arguments: [String],
    _ answer: ([UInt8]) -> HTTPAnswer
  ) async -> HTTPAnswer {
    do throws(SessionReports.Problem) { return answer(try await sessions.ask(arguments)) } catch {
      switch error {
      case .busy: return .busy
      case .refused(let reason): return .failure(409, "refused", reason)
      }
    }
  }
}
