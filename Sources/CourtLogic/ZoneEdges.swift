/// Where the rows of zones begin and end, in metres from the net, or the columns, from the left
/// sideline.
package struct ZoneEdges: Hashable, Sendable {
  /// What the edges divide.
  package enum Axis: Hashable, Sendable {
    case rows
    case columns

    /// The last edge. The first one is 0.
    package var extent: Double { self == .rows ? Court.length : Court.width }
    fileprivate var first: String { self == .rows ? "the net" : "the left sideline" }
    fileprivate var last: String { self == .rows ? "the baseline" : "the right sideline" }
  }

  /// How many there are.
  package static let count = Zone.side + 1
  /// The least size of a zone, in metres. A player's width is more: a smaller zone is a slip in a
  /// number.
  package static let leastSize = 0.3

  /// Ascending.
  package let metres: [Double]

  package init(_ metres: [Double], of axis: Axis) throws(ZoneEdgesError) {
    guard metres.count == Self.count else {
      throw ZoneEdgesError(index: 0, description: "\(metres.count) edges are not \(Self.count)")
    }
    guard metres[0] == 0 else {
      throw ZoneEdgesError(index: 0, description: "the first edge is 0, \(axis.first)")
    }
    for (index, (edge, next)) in zip(metres, metres.dropFirst()).enumerated() {
      // Whole millimetres: 2.4 - 2.1 is less than 0.3.
      guard ((next - edge) * 1000).rounded() >= Self.leastSize * 1000 else {
        throw ZoneEdgesError(
          index: index + 1,
          description:
            "\(next) is not \(Self.leastSize) m or more beyond the edge before it, \(edge)"
        )
      }
    }
    guard metres.last == axis.extent else {
      throw ZoneEdgesError(
        index: metres.count - 1,
        description: "the last edge is \(axis.extent), \(axis.last)"
      )
    }
    self.metres = metres
  }

  /// The row or the column that holds this distance, or the nearest one. An edge belongs to the one
  /// behind it, the last edge to the last one.
  func index(of distance: Double) -> Int {
    metres.dropFirst().dropLast().count { $0 <= distance }
  }
}

/// Edges that divide no court.
package struct ZoneEdgesError: Error, CustomStringConvertible {
  /// The index of the edge that is wrong.
  package let index: Int
  package let description: String
}
