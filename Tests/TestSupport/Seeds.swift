import Glibc

/// Seeds for property tests, the same in each run.
///
/// `BALLMACHINE_SEED=N` takes that seed alone, to explore; a seed that finds something is added to
/// the test's `found`.
package func seeds(
  _ fixed: ClosedRange<UInt64> = 1...4,
  found: [UInt64] = []
) -> [UInt64] {
  if let text = getenv("BALLMACHINE_SEED"), let seed = UInt64(String(cString: text)) {
    return [seed]
  }
  return fixed + found
}
