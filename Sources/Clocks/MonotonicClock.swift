/// A clock of ``MonotonicInstant``s: what every part that waits or tells the time is given.
package protocol MonotonicClock: Clock, Sendable where Instant == MonotonicInstant {}
