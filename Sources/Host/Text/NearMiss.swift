/// The candidate that `word` was probably meant to be, or nil: at most two slips away (a letter too
/// many, too few, wrong or swapped with its neighbour), or the only candidate that begins with it.
package func nearMiss(_ word: String, among candidates: [String]) -> String? {
  if let nearest = nearest(to: word, among: candidates, atMost: 2) { return nearest }
  let completions = candidates.filter { !word.isEmpty && $0.hasPrefix(word) }
  return completions.count == 1 ? completions[0] : nil
}

/// The first of the candidates that are the fewest slips away, if these are at most so many, and at most half
/// of its letters.
package func nearest(to word: String, among candidates: [String], atMost most: Int) -> String? {
  let distances = candidates.map { ($0, slips(from: Array(word), to: Array($0))) }
  guard let (nearest, distance) = distances.min(by: { $0.1 < $1.1 }),
    distance <= min(most, nearest.count / 2)
  else { return nil }
  return nearest
}

/// The optimal string alignment distance.
private func slips(from source: [Character], to target: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...target.count)
  for (i, character) in source.enumerated() {
    var row = [i + 1]
    for (j, wanted) in target.enumerated() {
      var cost = min(last[j] + (character == wanted ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, character == target[j - 1], source[i - 1] == wanted {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[target.count]
}
