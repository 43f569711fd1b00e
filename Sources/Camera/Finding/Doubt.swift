/// Why no position is sent.
package enum Doubt: Hashable, Sendable {
  /// The empty court isn't known yet, or what is seen may be a place where a person stood while it
  /// was learnt.
  case learning
  /// The marks of the calibration aren't where they were: by how many pixels of the full picture.
  case cameraMoved(pixels: Double)
  /// Too few marks of the court can be seen to know where the camera looks: it was turned away, or
  /// is covered.
  case courtHidden
  /// More than ``FinderRules/mostMotion`` of the picture moves: the share, 0…1.
  case tooMuchMotion(share: Double)
  case tooDark
  /// The court is wet and mirrors the player: a foot can't be distinguished from its reflection.
  case wetCourt
  /// A second person is inside the player's lines.
  case secondPerson
  /// There is nothing of a person's size.
  case noPlayer
  /// Something of a person's size was seen too briefly.
  case unconfirmed
  /// What was taken for the player hasn't moved at all for too long: a bag, or a jacket.
  case lifeless
  /// The picture isn't of the size that the finder was made for.
  case pictureSize

  /// For programs. Never changes.
  package var code: String {
    switch self {
    case .learning: "learning"
    case .cameraMoved: "camera-moved"
    case .courtHidden: "court-hidden"
    case .tooMuchMotion: "too-much-motion"
    case .tooDark: "too-dark"
    case .wetCourt: "wet-court"
    case .secondPerson: "second-person"
    case .noPlayer: "no-player"
    case .unconfirmed: "unconfirmed"
    case .lifeless: "lifeless"
    case .pictureSize: "picture-size"
    }
  }
}

extension Doubt: CustomStringConvertible {
  package var description: String {
    switch self {
    case .learning: "still learning the empty court: leave it for a few seconds"
    case .cameraMoved(let pixels):
      "the camera has moved by \(Int(pixels.rounded())) px: calibrate again"
    case .courtHidden:
      "too few marks of the court can be seen: is the camera covered or turned away?"
    case .tooMuchMotion(let share):
      "\(Int((share * 100).rounded())) % of the picture moves: too much to find the player"
    case .tooDark: "too dark to see the player"
    case .wetCourt: "the court is wet and mirrors the player"
    case .secondPerson: "a second person is inside the player's lines"
    case .noPlayer: "no player in sight"
    case .unconfirmed: "what may be the player was seen too briefly"
    case .lifeless: "what was taken for the player doesn't move: is it a thing?"
    case .pictureSize: "the picture isn't of the expected size"
    }
  }
}

/// What a person should know of positions that are sent all the same.
package enum SightHint: Hashable, Sendable {
  /// There is some likeness of a reflection, too little to be sure.
  case mayBeWet

  /// For programs. Never changes.
  package var code: String {
    switch self {
    case .mayBeWet: "may-be-wet"
    }
  }
}

extension SightHint: CustomStringConvertible {
  package var description: String {
    switch self {
    case .mayBeWet: "the court may be wet: then positions may be too near to the camera"
    }
  }
}
