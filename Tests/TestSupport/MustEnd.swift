// Programs that measure are built without it, with Swift's libraries inside.
#if canImport(Testing)
  package import Testing

  extension Trait where Self == TimeLimitTrait {
    /// For tests that wait for somebody: the ones that hang are ended.
    ///
    /// It says nothing of how fast anything is: beside a build, a box is many times slower than alone.
    package static var mustEnd: Self { .timeLimit(.minutes(5)) }
  }
#endif
