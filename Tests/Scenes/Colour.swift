/// Blue, green and red, 0…255.
package struct Colour: Hashable, Sendable {
  var blue: Double
  var green: Double
  var red: Double

  init(_ blue: Double, _ green: Double, _ red: Double) {
    self.blue = blue
    self.green = green
    self.red = red
  }

  init(grey: Double) { self.init(grey, grey, grey) }

  static func + (one: Colour, other: Colour) -> Colour {
    Colour(one.blue + other.blue, one.green + other.green, one.red + other.red)
  }

  static func * (colour: Colour, factor: Double) -> Colour {
    Colour(colour.blue * factor, colour.green * factor, colour.red * factor)
  }

  /// `share` of the other colour laid over this one.
  func under(_ other: Colour, _ share: Double) -> Colour { self * (1 - share) + other * share }

  static let skins = [Colour(120, 150, 200), Colour(60, 80, 120), Colour(150, 180, 225)]
  /// Worn ground, and skin and shoes that can't be told from it.
  static let sand = Colour(150, 178, 215)

  static let shirts = [
    Colour(240, 240, 240), Colour(60, 60, 200), Colour(200, 90, 60), Colour(40, 40, 40),
    Colour(90, 220, 230), Colour(170, 110, 210),
  ]
  static let shorts = [
    Colour(60, 45, 40), Colour(235, 235, 235), Colour(30, 30, 30), Colour(130, 70, 40),
  ]
}
