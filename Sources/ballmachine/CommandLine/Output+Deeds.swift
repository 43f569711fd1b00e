import Bridge

// What a subcommand has done stays done, whatever becomes of its report.

extension Output {
  /// Throws where standard output was closed at start. To be called before a ball can fly: its
  /// report would have no place.
  func requirePlace() throws {
    guard StandardStreams.isWritable(descriptor) else {
      throw Failure(
        .inputOutput,
        "standard output is closed, so nothing was sent: redirect it, to /dev/null if need be"
      )
    }
  }

  /// Writes the report of what has been done. Where that fails, the error says that it was done.
  ///
  /// - Parameter needsReader: whether a reader that has left is an error; otherwise it changes
  ///   nothing, and the exit status goes on telling what became of the deed.
  func tell(_ deed: some Report, needsReader: Bool = false) async throws {
    do { try await write(deed) } catch is ReaderGone where !needsReader {
    } catch let failure as Failure {
      throw Failure(failure.code, "\(deed.text) (done, but not reported: \(failure))")
    }
  }
}
