import Scenes

/// Frames in a row in which the player isn't found, or a place is named where no player is.
struct Failure {
  /// The doubt's code, or `ghost`.
  let kind: String
  /// The first frame and the last one, in seconds.
  let start: Double
  var end: Double

  private var frames: Int { Int(((end - start) * Scene.rate).rounded()) + 1 }

  /// Prints a line for each: scene, seed, kind, second, and how many frames.
  static func print(_ settings: [Setting], seeds: ClosedRange<UInt64>, seconds: Double) {
    for setting in settings {
      for seed in seeds {
        let judged = Judgement(setting, seed: seed, seconds: seconds, window: 2)
        for failure in judged.failures {
          let second = (failure.start * 100).rounded() / 100
          Swift.print(setting, seed, failure.kind, second, failure.frames)
        }
      }
    }
  }
}
