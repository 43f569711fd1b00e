import Clocks
package import Safety

extension SafetyStatus {
  /// The state, its reason, its end and the holds, in one line.
  package var summary: String {
    var words = [state.word] + [state.code].compactMap(\.self)
    switch state {
    case .countdown(let until, _), .resting(let until): words.append("until \(until.seconds)")
    default: break
    }
    if case .stopped(let outcome) = state { words.append(outcome?.word ?? "pending") }
    if !holds.isEmpty { words += ["held"] + holds.map(\.code) }
    return words.joined(separator: " ")
  }
}
