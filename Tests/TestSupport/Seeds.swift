import Glibc

/// Seeds for property tests: a few that never change and one that is new in each run.
///
/// `BALLMACHINE_SEED=N` runs just that seed again; each test prints the seeds that it takes.
package func seeds(_ fixed: ClosedRange<UInt64> = 1...4) -> [UInt64] {
  if let text = getenv("BALLMACHINE_SEED"), let seed = UInt64(String(cString: text)) {
    return [seed]
  }
  return fixed + [UInt64.random(in: 1_000...999_999)]
}
