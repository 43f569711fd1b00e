/// A picture in colour, three bytes a pixel: blue, green, red, row by row from the top.
package struct ColourPicture: Sendable {
  package let width: Int
  package let height: Int
  package var bytes: [UInt8]

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: 0, count: width * height * 3)
  }
}

/// A picture in shades of grey, a byte a pixel, row by row from the top.
package struct GreyPicture: Sendable {
  package let width: Int
  package let height: Int
  package var bytes: [UInt8]

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: 0, count: width * height)
  }
}
