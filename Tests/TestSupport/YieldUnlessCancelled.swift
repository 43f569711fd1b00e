extension Task where Success == Never, Failure == Never {
  /// Lets others go on; a test whose time is over ends here.
  package static func yieldUnlessCancelled() async throws {
    try checkCancellation()
    await yield()
  }
}
