import CourtMapping

/// The empty court as the camera sees it, drawn once.
struct Backdrop {
  let width: Int
  let height: Int
  /// Blue, green, red.
  let pixels: Bytes
  /// How much the net hides what is behind it, in 1/256, and its shade.
  let veil: Bytes
  let veilGrey: Bytes
  /// The pixels that move with the wind, row by row.
  let trees: [Int]

  init(camera: SceneCamera, surroundings: Surroundings) {
    width = camera.size.width
    height = camera.size.height
    let count = width * height
    pixels = Bytes(count * 3)
    veil = Bytes(count)
    veilGrey = Bytes(count)
    var trees: [Int] = []
    // Two by two rays a pixel.
    let offsets = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
    for row in 0..<height {
      for column in 0..<width {
        var sum = Colour(grey: 0)
        var leaves = 0
        var (share, grey) = (0.0, 0.0)
        for (right, down) in offsets {
          let ray = camera.ray(Double(column) + right, Double(row) + down)
          let hit = surroundings.look(along: ray)
          var colour = hit.colour
          if hit.isTree { leaves += 1 }
          if let veil = Net.veil(from: camera.place, along: ray) {
            colour = colour.under(Colour(grey: veil.grey), veil.share)
            share += veil.share
            grey += veil.grey * veil.share
          }
          sum = sum + colour
        }
        let index = row * width + column
        pixels.set(index, sum * 0.25)
        veil[index] = UInt8(share / 4 * 255)
        veilGrey[index] = UInt8(share > 0 ? grey / share : 0)
        if leaves == offsets.count { trees.append(index) }
      }
    }
    self.trees = trees
  }
}
