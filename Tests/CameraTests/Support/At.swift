import Clocks

/// So many milliseconds after the clock's start.
func at(_ milliseconds: Int) -> MonotonicInstant {
  .start.advanced(by: .milliseconds(milliseconds))
}
