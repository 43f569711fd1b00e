import ControlProtocol
import Programs

/// `ballmachine metrics`: the service's figures for Prometheus.
struct ShowMetrics: Subcommand {
  /// nil: standard output.
  var path: String?
  var service = ServiceOptions()

  static let usage = Usage<Self>(
    name: "metrics",
    summary: "Print the service's metrics in the text format of Prometheus",
    options: [
      .value(
        "write",
        .text("FILE"),
        \.path,
        "Replace this file with them, for the node exporter's textfile collector; - prints them"
      )
    ] + ServiceOptions.options.within(\.service),
    printsJSON: false,
    details: """
      FILE is replaced as a whole, never half-written. If no service answers, FILE gets only \
      `ballmachine_up 0', so that old figures are not taken for new ones, and the program ends \
      with 69 or 75. If it fails otherwise, as for a user outside the group ballmachine, FILE is \
      empty: whether the service is up is not known then.

      Example: ballmachine metrics --write /var/lib/prometheus/node-exporter/ballmachine.prom
      """
  )

  func run(_ output: Output) async throws {
    let path = path == "-" ? nil : path
    let page: String
    do { page = try await asked() } catch {
      let text = Self.isSilence(error) ? Self.up(false) : ""
      if let path { try OutputFile.replace(path, with: text) }
      throw error
    }
    let text = Self.up(true) + page
    guard let path else {
      let lines = text.hasSuffix("\n") ? String(text.dropLast()) : text
      return try await output.write(TextReport(lines))
    }
    try OutputFile.replace(path, with: text)
  }

  /// Whether the service answers, which the service can't say itself.
  private static func up(_ isUp: Bool) -> String {
    """
    # HELP ballmachine_up Whether the service answers.
    # TYPE ballmachine_up gauge
    ballmachine_up \(isUp ? 1 : 0)

    """
  }

  private func asked() async throws -> String {
    let service = try await ServiceConnection.open(self.service)
    return try await service.ask(.metrics, for: MetricsRecord.self).text
  }

  /// Whether the error says that nothing answers, not that this user gets no answer.
  private static func isSilence(_ error: any Error) -> Bool {
    switch error {
    case ControlClientError.silent, ControlClientError.lost: true
    // No service, or no simulation.
    case let failure as Failure: failure.code == .unavailable
    default: false
    }
  }
}
