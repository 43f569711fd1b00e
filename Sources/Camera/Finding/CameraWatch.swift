import CourtMapping
import Glibc

/// Tells whether the camera has moved since the calibration: looks for the surroundings of the
/// court's marks near the places where they were.
///
/// Measured by the prototype: a move of 6 pixels of 1280 shows, wind of 2.5 pixels doesn't count.
struct CameraWatch {
  /// In pixels of a picture 1280 wide: half of a patch's side, how far it is looked for, and the
  /// shift from which the camera has moved.
  private static let sizes = (half: 24, search: 16, moved: 4.0)
  /// Fewer patches can be hidden by one person.
  private static let leastPatches = 3
  /// The share of all patches that has to be recognised.
  private static let leastShare = 0.3
  /// Two checks in a row: one may meet a gust of wind.
  private static let checks = 2

  private(set) var doubt: Doubt?

  private let coarse: [Patch]
  private let fine: [Patch]
  private let scale: Double
  private let size: (width: Int, height: Int)
  private var half: GreyPicture
  private var streak = 0
  private var isBad = false

  /// - Returns: nil if fewer than three marks are far enough from the picture's edge and have
  ///   anything to recognise.
  init?(reference: GreyPicture, marks: [PicturePoint]) {
    scale = Double(reference.width) / 1280
    size = (reference.width, reference.height)
    half = GreyPicture(width: reference.width / 2, height: reference.height / 2)
    Self.shrink(reference, into: &half)
    let reach = Int(Double(Self.sizes.half) * scale)
    let margin = reach + Int(Double(Self.sizes.search) * scale) + 4
    var (coarse, fine): ([Patch], [Patch]) = ([], [])
    for mark in marks {
      let (u, v) = (Int(mark.u), Int(mark.v))
      guard u >= margin, v >= margin, u < size.width - margin, v < size.height - margin,
        let large = Patch(reference, u: u, v: v, half: reach),
        let small = Patch(half, u: u / 2, v: v / 2, half: reach / 2)
      else { continue }
      fine.append(large)
      coarse.append(small)
    }
    guard fine.count >= Self.leastPatches else { return nil }
    self.coarse = coarse
    self.fine = fine
  }

  /// To be called about once a second, with pictures of the reference's size.
  mutating func check(_ picture: GreyPicture) {
    guard picture.width == size.width, picture.height == size.height else { return }
    let found: Doubt? =
      if let pixels = shift(in: picture) {
        pixels > Self.sizes.moved * scale ? .cameraMoved(pixels: pixels) : nil
      } else {
        .courtHidden
      }
    let wasBad = isBad
    isBad = found != nil
    streak = isBad == wasBad ? streak + 1 : 1
    if streak >= Self.checks { doubt = found }
  }

  /// By how many pixels the median mark is off. The middle of all would stay where it is in a picture
  /// that turns about it or is enlarged.
  ///
  /// - Returns: nil if too few marks are recognised: they are covered, or the camera was turned away.
  private mutating func shift(in picture: GreyPicture) -> Double? {
    Self.shrink(picture, into: &half)
    let search = Int(Double(Self.sizes.search) * scale) / 2
    var shifts: [Double] = []
    for (small, large) in zip(coarse, fine) {
      guard let rough = small.find(in: half, around: (0, 0), reach: search),
        let exact = large.find(in: picture, around: (rough.u * 2, rough.v * 2), reach: 2)
      else { continue }
      shifts.append(hypot(Double(exact.u), Double(exact.v)))
    }
    guard shifts.count >= Self.leastPatches,
      Double(shifts.count) >= Self.leastShare * Double(fine.count)
    else { return nil }
    return shifts.sorted()[shifts.count / 2]
  }

  /// Each pixel the mean of four.
  private static func shrink(_ picture: GreyPicture, into half: inout GreyPicture) {
    let width = half.width
    let height = half.height
    picture.bytes.withUnsafeBufferPointer { source in
      half.bytes.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        var row = 0
        while row < height {
          let upper = from + row &* 2 &* picture.width
          let lower = upper + picture.width
          var column = 0
          while column < width {
            let at = column &* 2
            let sum =
              Int(upper[at]) &+ Int(upper[at &+ 1]) &+ Int(lower[at]) &+ Int(lower[at &+ 1])
            to[row &* width &+ column] = UInt8(truncatingIfNeeded: sum >> 2)
            column &+= 1
          }
          row &+= 1
        }
      }
    }
  }
}
