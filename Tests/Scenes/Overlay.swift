import CourtMapping

/// What a programme draws into a picture: a scoreboard, a clock, and where the ball has been.
struct Overlay {
  /// So many frames of the ball's way are drawn.
  private static let trail = 8
  private static let yellow = Colour(60, 230, 250)

  private var ball: [PicturePoint] = []

  /// - Parameter place: of the ball in the picture; nil while no ball flies.
  mutating func follow(_ place: PicturePoint?) {
    if let place { ball.append(place) }
    if place == nil || ball.count > Self.trail, !ball.isEmpty { ball.removeFirst() }
  }

  /// Its ends are round, as those of lines that a programme draws.
  func draw(on canvas: inout Canvas, at time: Double) {
    let scale = Double(canvas.width) / 320
    for (from, to) in zip(ball, ball.dropFirst()) {
      canvas.draw(.init(from: from, to: to, radius: 1.2 * scale), Self.yellow)
    }
    let (top, left) = (12 * scale, 14 * scale)
    for row in 0..<2 {
      let v = top + Double(row) * 9 * scale
      canvas.draw(
        .init(
          from: PicturePoint(left, v),
          to: PicturePoint(left + 66 * scale, v),
          radius: 5 * scale
        ),
        Colour(80, 40, 20)
      )
      // A point every seven seconds.
      write(Int(time / 7) + row, at: PicturePoint(left + 56 * scale, v), on: &canvas, scale)
    }
    let clock = PicturePoint(Double(canvas.width) - 30 * scale, Double(canvas.height) - 12 * scale)
    write(Int(time), at: clock, on: &canvas, scale)
    write(Int(time / 10), at: PicturePoint(clock.u - 8 * scale, clock.v), on: &canvas, scale)
  }

  /// A figure of seven strokes.
  private func write(
    _ number: Int,
    at middle: PicturePoint,
    on canvas: inout Canvas,
    _ scale: Double
  ) {
    // Bit by bit, from the top clockwise, the middle last.
    let strokes = [63, 6, 91, 79, 102, 109, 125, 7, 127, 111][number % 10]
    let (wide, high) = (2 * scale, 3.5 * scale)
    let ends: [(Double, Double, Double, Double)] = [
      (-1, -1, 1, -1), (1, -1, 1, 0), (1, 0, 1, 1), (-1, 1, 1, 1), (-1, 0, -1, 1), (-1, -1, -1, 0),
      (-1, 0, 1, 0),
    ]
    for (bit, end) in ends.enumerated() where strokes & (1 << bit) != 0 {
      canvas.draw(
        .init(
          from: PicturePoint(middle.u + end.0 * wide, middle.v + end.1 * high),
          to: PicturePoint(middle.u + end.2 * wide, middle.v + end.3 * high),
          radius: 0.6 * scale
        ),
        Colour(grey: 245)
      )
    }
  }
}
