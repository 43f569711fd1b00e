import Glibc

/// Spoils finished pictures, as a lens, an encoder or lamps do.
final class Spoiler {
  /// JPEG's quality for a picture of 320 × 180, with all of its colour: as far from the original as one of
  /// 1280 × 720 and a quality of 12 that is made small afterwards. Measured on three broadcasts.
  private static let quality: Int32 = 75
  /// The width to which a picture of 320 is made smaller.
  private static let smallerWidth = 0.6
  /// Blocks of 8 × 8 pixels whose mean difference is less stay as they were, in grey levels.
  private static let leastChange = 3
  /// Lamps flicker at twice the mains's 50 Hz. Source: IEC 60038.
  private static let flicker = 100.0
  /// How much brighter or darker a band is, and how long the sensor takes to read all rows, in seconds.
  private static let bands = (depth: 0.12, readout: 0.02)

  private let spoiling: Spoiling
  private let width: Int
  private let height: Int
  private var before: [UInt8] = []

  init(_ spoiling: Spoiling, width: Int, height: Int) {
    self.spoiling = spoiling
    self.width = width
    self.height = height
  }

  func spoil(_ bytes: inout [UInt8], at time: Double) {
    switch spoiling {
    case .jpeg: compress(&bytes)
    case .blur:
      for _ in 0..<2 { soften(&bytes) }
    case .rescaled: rescale(&bytes)
    case .blocks:
      compress(&bytes)
      keepUnchangedBlocks(&bytes)
    case .lamps: flicker(&bytes, at: time)
    case .neighbours, .overlays, .hardSun: break
    }
  }

  private func compress(_ bytes: inout [UInt8]) {
    let packed = JPEG.encode(
      bytes,
      width: width,
      height: height,
      quality: Self.quality,
      halvesColour: false
    )
    guard let packed, JPEG.decode(packed, width: width, height: height, into: &bytes)
    else { fatalError("libjpeg has no memory") }
  }

  /// Each pixel a mean of its neighbours, weighted 1, 2 and 1 along rows and columns.
  private func soften(_ bytes: inout [UInt8]) {
    let stride = width * 3
    for step in [3, stride] {
      let source = bytes
      source.withUnsafeBufferPointer { from in
        bytes.withUnsafeMutableBufferPointer { to in
          var index = step
          while index < to.count - step {
            let sides = Int(from[index &- step]) &+ Int(from[index &+ step])
            to[index] = UInt8((sides &+ 2 &* Int(from[index]) &+ 2) >> 2)
            index &+= 1
          }
        }
      }
    }
  }

  private func rescale(_ bytes: inout [UInt8]) {
    let (narrow, low) = (
      Int(Double(width) * Self.smallerWidth), Int(Double(height) * Self.smallerWidth)
    )
    // Without this a smaller picture would miss thin things.
    soften(&bytes)
    var small = [UInt8](repeating: 0, count: narrow * low * 3)
    Self.resample(bytes, width, height, into: &small, narrow, low)
    Self.resample(small, narrow, low, into: &bytes, width, height)
  }

  /// Bilinear.
  private static func resample(
    _ source: [UInt8],
    _ width: Int,
    _ height: Int,
    into target: inout [UInt8],
    _ newWidth: Int,
    _ newHeight: Int
  ) {
    let (across, down) = (
      Double(width) / Double(newWidth), Double(height) / Double(newHeight)
    )
    source.withUnsafeBufferPointer { from in
      target.withUnsafeMutableBufferPointer { to in
        for row in 0..<newHeight {
          let v = min(max((Double(row) + 0.5) * down - 0.5, 0), Double(height - 1))
          let (top, b) = (Int(v), Int((v - floor(v)) * 256))
          let bottom = min(top + 1, height - 1)
          for column in 0..<newWidth {
            let u = min(max((Double(column) + 0.5) * across - 0.5, 0), Double(width - 1))
            let (left, a) = (Int(u), Int((u - floor(u)) * 256))
            let right = min(left + 1, width - 1)
            for channel in 0..<3 {
              func at(_ row: Int, _ column: Int) -> Int {
                Int(from[(row &* width &+ column) &* 3 &+ channel])
              }
              let upper = at(top, left) * (256 - a) + at(top, right) * a
              let lower = at(bottom, left) * (256 - a) + at(bottom, right) * a
              to[(row * newWidth + column) * 3 + channel] = UInt8(
                (upper * (256 - b) + lower * b) >> 16
              )
            }
          }
        }
      }
    }
  }

  private func keepUnchangedBlocks(_ bytes: inout [UInt8]) {
    defer { before = bytes }
    guard !before.isEmpty else { return }
    let side = 8
    bytes.withUnsafeMutableBufferPointer { now in
      before.withUnsafeBufferPointer { then in
        for top in Swift.stride(from: 0, to: height, by: side) {
          for left in Swift.stride(from: 0, to: width, by: side) {
            let (right, bottom) = (min(left + side, width), min(top + side, height))
            var sum = 0
            for row in top..<bottom {
              for index in (row * width + left) * 3..<(row * width + right) * 3 {
                sum += abs(Int(now[index]) - Int(then[index]))
              }
            }
            guard sum < Self.leastChange * (right - left) * (bottom - top) * 3 else { continue }
            for row in top..<bottom {
              for index in (row * width + left) * 3..<(row * width + right) * 3 {
                now[index] = then[index]
              }
            }
          }
        }
      }
    }
  }

  private func flicker(_ bytes: inout [UInt8], at time: Double) {
    let stride = width * 3
    bytes.withUnsafeMutableBufferPointer { bytes in
      for row in 0..<height {
        let moment = time + Double(row) / Double(height) * Self.bands.readout
        let light = 1 + Self.bands.depth * cos(2 * .pi * Self.flicker * moment)
        let gain = Int(light * 256)
        for index in row * stride..<(row + 1) * stride {
          bytes[index] = UInt8(min((Int(bytes[index]) &* gain) >> 8, 255))
        }
      }
    }
  }
}
