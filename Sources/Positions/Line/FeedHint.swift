import Host

/// What a feeder or a file should be told, although its lines are used.
package enum FeedHint: Hashable, Sendable {
  /// A key that isn't known looks like one that is.
  case unknownKey(String, likely: String)
  /// What its first positions look like. Never a good fit.
  case frame(FrameGuess, as: CourtFrame)
}

extension FeedHint: CustomStringConvertible {
  /// For a feeder, which declares what its numbers mean.
  package var description: String { text { "send \($0.declaration) first" } }

  /// - Parameter remedy: how it is said that numbers mean this; never asked for the court's own frame.
  package func text(_ remedy: (CourtFrame) -> String) -> String {
    switch self {
    case .unknownKey(let key, let likely):
      "the key “\(key.excerpt)” isn't known, and not used: is it “\(likely)”?"
    case .frame(let guess, let frame):
      guess.text(as: frame, remedy)
    }
  }
}

extension FrameGuess {
  /// What the positions look like, and which frames fit.
  fileprivate func text(as frame: CourtFrame, _ remedy: (CourtFrame) -> String) -> String {
    let may = fit == .impossible ? "can't" : "may not"
    let beginning = "the first positions \(may) be \(frame.summary)"
    let pixels = isInPixels ? ["pixels (“u” and “v”, which need a calibration)"] : []
    let likely =
      pixels + others.map { $0 == .court ? $0.summary : "\($0.summary) (\(remedy($0)))" }
    guard !likely.isEmpty else { return beginning }
    let picture = "; parts of a picture would be “u” and “v”, times its size, with a calibration"
    return beginning + ": they look like " + likely.joined(separator: ", or ")
      + (areParts ? picture : "")
  }
}

extension CourtFrame {
  /// In words.
  package var summary: String {
    guard self != .court else { return "metres of the player's half" }
    var words = scale == .one ? unit.rawValue : "parts of a court (scale \(scale.text))"
    if scale != .one, unit != .metres { words += ", in \(unit.rawValue)" }
    if origin != .corner { words += " from origin \(origin.text)" }
    if axes != .asTheCourts { words += " with axes \(axes.text)" }
    return words
  }

  /// The declaration that a feeder sends before its positions, as JSON.
  package var declaration: String {
    var members: [String] = []
    if unit != .metres { members.append(#""units": "\#(unit.rawValue)""#) }
    if origin != .corner {
      let isNamed = origin.text.first?.isLetter == true
      members.append(#""origin": \#(isNamed ? "\"\(origin.text)\"" : "[\(origin.text)]")"#)
    }
    if axes != .asTheCourts { members.append(#""axes": "\#(axes.text)""#) }
    if scale != .one {
      members.append(#""scale": \#(scale.x == scale.y ? scale.text : "[\(scale.text)]")"#)
    }
    return "{" + members.joined(separator: ", ") + "}"
  }
}
