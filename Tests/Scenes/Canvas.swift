import CourtMapping

/// Draws lines with round ends, with soft edges.
struct Canvas {
  /// The pixels that were drawn on.
  struct Bounds {
    var left = Int.max
    var right = -1
    var top = Int.max
    var bottom = -1
  }

  /// A line with round ends, in pixels.
  struct Stroke {
    let from: PicturePoint
    let to: PicturePoint
    let radius: Double
  }

  let width: Int
  let height: Int
  /// Blue, green, red; nil draws on ``mask`` alone.
  let pixels: Bytes?
  /// How much of each pixel is covered, in 1/255.
  let mask: Bytes?
  private(set) var bounds = Bounds()

  init(width: Int, height: Int, pixels: Bytes?, mask: Bytes?) {
    self.width = width
    self.height = height
    self.pixels = pixels
    self.mask = mask
  }

  /// Empties the mask where it was drawn on.
  mutating func clear() {
    if let mask, bounds.right >= bounds.left {
      for row in bounds.top...bounds.bottom {
        (mask.base + row * width + bounds.left)
          .update(repeating: 0, count: bounds.right - bounds.left + 1)
      }
    }
    bounds = Bounds()
  }

  /// - Parameters:
  ///   - behind: what hides it in part.
  ///   - opacity: 0…1.
  mutating func draw(
    _ stroke: Stroke,
    _ colour: Colour,
    behind veil: Backdrop? = nil,
    opacity: Double = 1
  ) {
    let radius = max(stroke.radius, 0.5)
    let strength = opacity * min(1, stroke.radius / 0.5)
    let reach = radius + 0.5
    let (fromU, fromV) = (stroke.from.u, stroke.from.v)
    let (du, dv) = (stroke.to.u - fromU, stroke.to.v - fromV)
    let square = max(du * du + dv * dv, 1e-9)
    guard fromU > -1e5, fromU < 1e5, fromV > -1e5, fromV < 1e5 else { return }
    let left = max(0, Int(min(fromU, stroke.to.u) - reach))
    let right = min(width - 1, Int(max(fromU, stroke.to.u) + reach))
    let top = max(0, Int(min(fromV, stroke.to.v) - reach))
    let bottom = min(height - 1, Int(max(fromV, stroke.to.v) + reach))
    guard left <= right, top <= bottom else { return }
    bounds.left = min(bounds.left, left)
    bounds.right = max(bounds.right, right)
    bounds.top = min(bounds.top, top)
    bounds.bottom = max(bounds.bottom, bottom)
    let outer = reach * reach
    let inner = (radius - 0.5) * (radius - 0.5)
    var row = top
    while row <= bottom {
      var column = left
      let down = Double(row) + 0.5 - fromV
      while column <= right {
        let across = Double(column) + 0.5 - fromU
        var along = (across * du + down * dv) / square
        if along < 0 { along = 0 } else if along > 1 { along = 1 }
        let (x, y) = (across - along * du, down - along * dv)
        let distance = x * x + y * y
        if distance < outer {
          let cover = distance <= inner ? strength : strength * (reach - distance.squareRoot())
          put(row * width + column, colour, cover, veil)
        }
        column += 1
      }
      row += 1
    }
  }

  private func put(_ index: Int, _ colour: Colour, _ cover: Double, _ veil: Backdrop?) {
    if let mask {
      let level = UInt8(min(cover, 1) * 255)
      if level > mask.base[index] { mask.base[index] = level }
    }
    guard let pixels else { return }
    var (blue, green, red) = (colour.blue, colour.green, colour.red)
    if let veil, veil.veil.base[index] > 0 {
      let share = Double(Int(veil.veil.base[index])) / 255
      let grey = Double(Int(veil.veilGrey.base[index])) * share
      blue = blue * (1 - share) + grey
      green = green * (1 - share) + grey
      red = red * (1 - share) + grey
    }
    let pixel = pixels.base + index * 3
    let rest = 1 - cover
    pixel[0] = Bytes.clamp(Double(Int(pixel[0])) * rest + blue * cover)
    pixel[1] = Bytes.clamp(Double(Int(pixel[1])) * rest + green * cover)
    pixel[2] = Bytes.clamp(Double(Int(pixel[2])) * rest + red * cover)
  }
}
