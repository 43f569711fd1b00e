import ControlProtocol
import JSON
import Programs

extension TrainingRecord {
  /// The drill and its progress, or the aim, in a few words.
  var text: String {
    var words = [drill ?? aim]
    if let level { words.append("(\(level))") }
    if let place { words.append(place) }
    if let next { words.append("next \(next)") }
    words.append("every \(interval.plain) s")
    return words.joined(separator: "  ")
  }

  /// How far the drill is: `set 2 of 4  ball 3 of 12`.
  var place: String? {
    guard let set, let sets, let ball, let balls else { return nil }
    return "set \(set) of \(sets)  ball \(ball) of \(balls)"
  }
}
