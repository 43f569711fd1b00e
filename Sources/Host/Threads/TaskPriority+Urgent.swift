extension TaskPriority {
  /// For what goes ahead of all other work of its ``LoopExecutor``: stops alone.
  ///
  /// Above all that Swift gives by itself: a task that is begun on the first thread outside of a
  /// task has `userInitiated`, which is `high` (0x19). Below `userInteractive` (0x21), which a
  /// task's own tasks don't inherit. Source: Swift's runtime, Task.cpp.
  package static let urgent = TaskPriority(rawValue: 0x20)
}
