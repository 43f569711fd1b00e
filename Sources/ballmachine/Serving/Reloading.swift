import Bridge

/// Reads the configuration again, on SIGHUP and for whoever asks on the control socket, and tells
/// everybody what came of it.
struct Reloading: Sendable {
  let configuration: RunningConfiguration
  let service: BridgeService
  let log: SessionLog?
  let notifier: ServiceNotifier
  let journal: JournalLog
  let output: Output

  func perform() async -> ReloadReply {
    notifier.reloading()
    defer { notifier.ready() }
    do {
      let reload = try await configuration.reload { [service, log] running in
        await service.reconfigure(running.bridge)
        log?.take(RecordedCourt(running))
      }
      let report = ReloadReport(reload)
      await tell(report)
      return .loaded(applied: report.applied, atRestart: report.atRestart)
    } catch {
      let refusal = ReloadRefusal(reason: "the configuration stays as it was: \(error)")
      journal.write(refusal.reason, .error)
      if output.style == .json { try? await output.write(refusal) }
      return .refused(refusal.reason)
    }
  }

  private func tell(_ report: ReloadReport) async {
    if journal.isStructured, output.style == .text { return journal.write(report.text, .notice) }
    // A reader that has gone is noticed with the next event, and ends the service.
    try? await output.write(report)
  }
}
