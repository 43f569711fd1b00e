/// How a ball turns in flight.
package enum Spin: String, CaseIterable, Hashable, Sendable {
  case flat
  case topspin
  case backspin
  case extremeTopspin = "extreme-topspin"
  case extremeBackspin = "extreme-backspin"
}
