import Glibc

/// Seeds for property tests, the same in each run.
///
/// `BALLMACHINE_SEED=N` takes that seed alone, to explore; a seed that finds something is added to
/// the test's `found`.
package func seeds(
  _ fixed: ClosedRange<UInt64> = 1...4,
  found: [UInt64] = []
) -> [UInt64] {
  givenSeed.map { [$0] } ?? fixed + found
}

/// The first seed of tests that play one scenario after the other: the same in each run, unless
/// `BALLMACHINE_SEED=N` takes another one.
package func firstSeed() -> UInt64 { givenSeed ?? 1 }

/// How many random events a law is held over: `BALLMACHINE_EVENTS`, or a million.
package func eventCount() -> Int {
  getenv("BALLMACHINE_EVENTS").flatMap { Int(String(cString: $0)) } ?? 1_000_000
}

private var givenSeed: UInt64? {
  getenv("BALLMACHINE_SEED").flatMap { UInt64(String(cString: $0)) }
}
