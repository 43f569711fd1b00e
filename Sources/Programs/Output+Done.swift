import Host

// What a subcommand has done stays done, even if its report is lost.

extension Output {
  /// Throws if standard output was closed at start. Call it before a ball can fly: the report
  /// would be lost.
  package func requirePlace() throws {
    guard StandardStreams.isWritable(descriptor) else {
      throw Failure(
        .inputOutput,
        "standard output is closed, so nothing was sent: redirect it, for example to /dev/null"
      )
    }
  }

  /// Writes the report of what has been done. If that fails, the error says that it was done.
  ///
  /// - Parameter needsReader: whether a reader that has left is an error; otherwise it is ignored,
  ///   and the exit status still reports the outcome.
  package func confirm(_ report: some Report, needsReader: Bool = false) async throws {
    do { try await write(report) } catch is ReaderGone where !needsReader {
    } catch let failure as Failure {
      throw Failure(failure.code, "\(report.text) (done, but not reported: \(failure))")
    }
  }
}
