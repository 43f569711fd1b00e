// What the figures of records are. The schema has the limits: `count`, `total` and `seconds`.

/// A number from 1: which one, or how many, where none is left out.
package typealias Count = Int
/// How many, from 0.
package typealias Total = Int
/// How long, from 0.
package typealias Seconds = Double
