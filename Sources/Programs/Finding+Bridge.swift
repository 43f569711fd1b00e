import ControlProtocol
import Host

extension Finding {
  /// Whether the bridge answers on its control socket, for the doctor of a program that works with it.
  ///
  /// - Parameters:
  ///   - program: what the codes begin with.
  ///   - remedy: what to do where this user may not operate; nil: the program needs no operator.
  package static func bridge(_ program: String, operators remedy: String? = nil) async -> Finding {
    do {
      let client = try await ControlClient.connect(in: try RuntimeDirectory.ofRunningBridge())
      defer { client.close() }
      guard let remedy else { return .ok("\(program).bridge", "the bridge answers") }
      let role = client.hello.role
      guard role >= .operator else {
        let part = role == .reader ? "see" : "stop"
        let text = "the bridge answers, and lets this user \(part) alone"
        return .note("\(program).role", text, remedy)
      }
      return .ok("\(program).bridge", "the bridge answers, and lets this user operate")
    } catch { return .note("\(program).bridge", "\(error)") }
  }
}
