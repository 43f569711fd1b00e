import CourtMapping
import Glibc

/// Tells whether the camera has moved since the calibration: looks for the surroundings of the
/// court's marks near the places where they were.
///
/// Measured by the prototype: a move of 6 pixels of 1280 shows, wind of 2.5 pixels doesn't count. A
/// smaller one shows in the medians of some seconds: wind moves a camera to and fro.
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
  /// So many checks are compared with so many first ones, to see a small move.
  private static let compared = (first: 7, last: 9)
  /// In pixels of a picture 1280 wide: from which small move on the camera has moved. To that is added
  /// the median deviation of the last checks, so many times: a median is exact, the one picture of the
  /// reference isn't. Measured in 60 s of rendered wind: a deviation of 1, and moves of up to 0.9 from
  /// the first checks.
  private static let smallMove = (pixels: 1.5, sinceFirst: 0.2, sinceReference: 2.0)

  private(set) var doubt: Doubt?

  private let coarse: [Patch]
  private let fine: [Patch]
  private let scale: Double
  private let size: (width: Int, height: Int)
  private var half: GreyPicture
  /// Where each patch was in the first checks, and in the last ones, oldest first; nil where hidden.
  private var first: [[SIMD2<Double>?]] = []
  private var last: [[SIMD2<Double>?]] = []
  private var checked = 0
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
      if let shifts = shifts(in: picture) {
        doubt(of: shifts)
      } else {
        .courtHidden
      }
    let wasBad = isBad
    isBad = found != nil
    streak = isBad == wasBad ? streak + 1 : 1
    if streak >= Self.checks { doubt = found }
  }

  private mutating func doubt(of shifts: [SIMD2<Double>?]) -> Doubt? {
    let pixels = Self.middle(of: shifts.compactMap { $0.map(Self.length) })
    guard pixels <= Self.sizes.moved * scale else { return .cameraMoved(pixels: pixels) }
    if first.count < Self.compared.first { first.append(shifts) }
    if last.count == Self.compared.last { last.removeFirst() }
    last.append(shifts)
    checked += 1
    guard last.count == Self.compared.last else { return nil }
    let small = Self.smallMove
    let move =
      smallMove(since: [], sway: small.sinceReference)
      ?? (checked >= Self.compared.first + Self.compared.last
        ? smallMove(since: first, sway: small.sinceFirst) : nil)
    return move.map { .cameraMoved(pixels: $0) }
  }

  /// By how many pixels the median mark has moved since earlier checks, or since the reference if there
  /// are none; nil if that may be wind.
  private func smallMove(since earlier: [[SIMD2<Double>?]], sway: Double) -> Double? {
    var (moves, sways): ([Double], [Double]) = ([], [])
    for patch in fine.indices {
      let (then, now) = (earlier.compactMap { $0[patch] }, last.compactMap { $0[patch] })
      guard 2 * then.count >= earlier.count, now.count > Self.compared.last / 2 else { continue }
      let place = Self.middle(of: now)
      moves.append(Self.length(then.isEmpty ? place : place - Self.middle(of: then)))
      sways.append(Self.middle(of: now.map { Self.length($0 - place) }))
    }
    guard moves.count >= Self.leastPatches else { return nil }
    let move = Self.middle(of: moves)
    return move > Self.smallMove.pixels * scale + sway * Self.middle(of: sways) ? move : nil
  }

  private static func middle(of numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
  }

  private static func middle(of places: [SIMD2<Double>]) -> SIMD2<Double> {
    SIMD2(middle(of: places.map(\.x)), middle(of: places.map(\.y)))
  }

  private static func length(_ shift: SIMD2<Double>) -> Double { hypot(shift.x, shift.y) }

  /// By how many pixels each mark is off. The middle of all would stay where it is in a picture that
  /// turns about it or is enlarged.
  ///
  /// - Returns: nil for marks that aren't recognised; and instead of all if those are too many: they are
  ///   covered, or the camera was turned away.
  private mutating func shifts(in picture: GreyPicture) -> [SIMD2<Double>?]? {
    Self.shrink(picture, into: &half)
    let search = Int(Double(Self.sizes.search) * scale) / 2
    let shifts = zip(coarse, fine).map { small, large -> SIMD2<Double>? in
      guard let rough = small.find(in: half, around: (0, 0), reach: search),
        let exact = large.find(in: picture, around: (rough.u * 2, rough.v * 2), reach: 2)
      else { return nil }
      return large.refine(exact, in: picture)
    }
    let seen = shifts.count { $0 != nil }
    guard seen >= Self.leastPatches, Double(seen) >= Self.leastShare * Double(fine.count) else {
      return nil
    }
    return shifts
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
