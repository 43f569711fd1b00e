/// A place or a direction in space: the court's metres, and z up.
package struct Vector: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  package var length: Double { dot(self).squareRoot() }
  package var unit: Vector { self * (1 / length) }

  package func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  package func cross(_ other: Vector) -> Vector {
    Vector(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x
    )
  }

  package static func + (one: Vector, other: Vector) -> Vector {
    Vector(one.x + other.x, one.y + other.y, one.z + other.z)
  }

  package static func - (one: Vector, other: Vector) -> Vector {
    Vector(one.x - other.x, one.y - other.y, one.z - other.z)
  }

  package static func * (vector: Vector, factor: Double) -> Vector {
    Vector(vector.x * factor, vector.y * factor, vector.z * factor)
  }
}
