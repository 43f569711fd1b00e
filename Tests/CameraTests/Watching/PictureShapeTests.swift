import CourtMapping
import Testing

@testable import Camera

@Suite struct PictureShapeTests {
  private func size(_ width: Int, _ height: Int) -> PictureSize {
    PictureSize(width: width, height: height)!
  }

  @Test func shapesHaveTheNamesThatPeopleGiveThem() {
    for (width, height, shape) in [
      (640, 480, "4:3"), (1280, 720, "16:9"), (320, 320, "1:1"), (1280, 800, "16:10"),
      (720, 1280, "9:16"), (1366, 768, "1.78:1"), (2700, 1334, "2.02:1"), (352, 288, "11:9"),
    ] { #expect(size(width, height).shape == shape) }
  }

  @Test func anotherShapeIsToldWithBothWaysOut() {
    let text = size(1280, 720).isOtherShape(
      size(640, 480),
      [size(1280, 720), size(640, 480), size(640, 360), size(160, 90)]
    )
    #expect(
      text == """
        the picture, 640 × 480 (4:3), has another shape than the calibration's, 1280 × 720 (16:9): \
        set camera.size to one of that shape, such as [640, 360], or calibrate again with this picture
        """
    )
    let without = size(1280, 720).isOtherShape(size(640, 480), [size(640, 480)])
    #expect(without.contains("(16:9): use a camera that has that shape, or calibrate again"))
    let film = size(1280, 720).isOtherShape(size(640, 480), [])
    #expect(film.contains("(16:9): give frames of that shape, or calibrate again"))
  }
}
