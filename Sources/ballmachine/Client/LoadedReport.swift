import ControlProtocol
import Host
import JSON
import Programs
import Reports

/// What is loaded for the next session: for machines as after a change.
struct LoadedReport: LinedReport {
  enum Part: Equatable, Sendable { case drill, level }

  let lines: [String]
  private let change: ChangeReport

  /// - Returns: nil of a service that doesn't say it.
  init?(_ part: Part, of status: StatusRecord, at time: WallTime = WallTime()) {
    guard let training = status.training else { return nil }
    let record = EventRecord(.training(training), t: status.t, time: time)
    guard let change = ChangeReport(mode: status.mode, record: record) else { return nil }
    self.change = change
    let text =
      switch part {
      case .drill: training.text
      case .level: "\(training.level ?? "no level")  \(training.rate)"
      }
    // What was lost is neither loaded nor none.
    let lost = status.safety.holds.filter { ["drillLost", "levelLost"].contains($0.code) }
    lines =
      [[status.mode, text].compactMap(\.self).joined(separator: "  ")] + lost.map(\.text)
  }

  func encode(to encoder: any Encoder) throws { try change.encode(to: encoder) }
}

extension ServiceConnection {
  /// - Parameter hint: how a person changes it.
  func showLoaded(_ part: LoadedReport.Part, _ output: Output, hint: String) async throws {
    let status = try await ask(.status, for: StatusRecord.self)
    guard let report = LoadedReport(part, of: status) else { throw notUnderstood }
    try await output.write(report)
    if output.style == .text { Output.complain(hint) }
  }
}
