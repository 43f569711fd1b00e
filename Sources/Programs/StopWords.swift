/// The words of people who want the machine to stop. None but `stop` stops it, and people must not
/// believe that another one has.
package enum StopWords {
  package static let stop = "stop"
  /// What the answer to a word that was probably meant for it says.
  package static let warning = "NOTHING was stopped"

  private static let others = Set(
    "abort cancel cease e-stop emergency end estop exit freeze halt kill off panic quit s"
      .split(separator: " ").map(String.init)
  )

  /// - Returns: `stop` if the word stands for it, in capitals, too.
  package static func meaning(of word: String) -> String? {
    let word = word.lowercased()
    return word == stop || others.contains(word) ? stop : nil
  }
}
