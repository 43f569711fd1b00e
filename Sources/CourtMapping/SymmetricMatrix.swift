/// A small symmetric matrix, as sums of squares are.
struct SymmetricMatrix {
  let size: Int
  private var entries: [Double]

  init(size: Int) {
    self.size = size
    entries = [Double](repeating: 0, count: size * size)
  }

  subscript(row: Int, column: Int) -> Double {
    get { entries[row * size + column] }
    set { entries[row * size + column] = newValue }
  }

  /// Adds the square of a row of an overdetermined system.
  mutating func add(_ row: [Double]) {
    for first in 0..<size where row[first] != 0 {
      for second in 0..<size {
        entries[first * size + second] += row[first] * row[second]
      }
    }
  }

  /// The solution for a right side, by elimination with pivots; nil if there is no single one.
  func solved(for right: [Double]) -> [Double]? {
    var matrix = entries
    var right = right
    for column in 0..<size {
      var pivot = column
      for row in column..<size
      where abs(matrix[row * size + column]) > abs(matrix[pivot * size + column]) { pivot = row }
      let head = matrix[pivot * size + column]
      guard abs(head) > 1e-300, head.isFinite else { return nil }
      if pivot != column {
        for entry in 0..<size {
          matrix.swapAt(pivot * size + entry, column * size + entry)
        }
        right.swapAt(pivot, column)
      }
      for row in 0..<size where row != column {
        let factor = matrix[row * size + column] / head
        guard factor != 0 else { continue }
        for entry in column..<size {
          matrix[row * size + entry] -= factor * matrix[column * size + entry]
        }
        right[row] -= factor * right[column]
      }
    }
    return (0..<size).map { right[$0] / matrix[$0 * size + $0] }
  }

  /// The eigenvector of the least eigenvalue, by Jacobi's rotations.
  ///
  /// Source: Golub, Van Loan, “Matrix Computations”, § 8.5.
  var leastEigenvector: [Double] {
    var matrix = self
    var vectors = [Double](repeating: 0, count: size * size)
    for index in 0..<size { vectors[index * size + index] = 1 }
    // Convergence is quadratic: 9 × 9 takes 6 to 8 sweeps.
    for _ in 0..<30 where matrix.rotate(&vectors) {}
    let least = (0..<size).min { matrix[$0, $0] < matrix[$1, $1] } ?? 0
    return (0..<size).map { vectors[$0 * size + least] }
  }

  /// Rotates each pair of axes once.
  ///
  /// - Returns: false once it is diagonal.
  private mutating func rotate(_ vectors: inout [Double]) -> Bool {
    var changed = false
    for first in 0..<size {
      for second in (first + 1)..<max(size, first + 1) {
        let beside = self[first, second]
        let scale = abs(self[first, first]) + abs(self[second, second])
        guard abs(beside) > 1e-17 * scale else { continue }
        changed = true
        let ratio = (self[second, second] - self[first, first]) / (2 * beside)
        let tangent = (ratio < 0 ? -1.0 : 1) / (abs(ratio) + (ratio * ratio + 1).squareRoot())
        let cosine = 1 / (tangent * tangent + 1).squareRoot()
        let sine = tangent * cosine
        for other in 0..<size {
          turn(&entries, other * size + first, other * size + second, cosine, sine)
        }
        for other in 0..<size {
          turn(&entries, first * size + other, second * size + other, cosine, sine)
        }
        for other in 0..<size {
          turn(&vectors, other * size + first, other * size + second, cosine, sine)
        }
      }
    }
    return changed
  }

  private func turn(
    _ values: inout [Double],
    _ first: Int,
    _ second: Int,
    _ cosine: Double,
    _ sine: Double
  ) {
    let (one, other) = (values[first], values[second])
    values[first] = cosine * one - sine * other
    values[second] = sine * one + cosine * other
  }
}
