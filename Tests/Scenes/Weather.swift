import Glibc

/// What the air, the light and the sensor do to a picture.
final class Weather {
  private let width: Int
  private let height: Int
  private let scratch: Bytes
  /// The light of each column, in 1/256.
  private let light: UnsafeMutablePointer<Int>
  /// Values from -256 to 767, brought to 0…255.
  private let clamped: Bytes
  private let noise: UnsafeMutablePointer<Int>
  private static let noiseCount = 1 << 16
  private var exposure = 1.0
  private var random: Random

  /// - Parameter noise: one sigma at 1280 pixels across. Smaller pictures are means of several
  ///   pixels, of which neighbours are alike: half of the noise is left at 320.
  init(width: Int, height: Int, noise sigma: Double, seed: UInt64) {
    self.width = width
    self.height = height
    random = Random(seed: seed)
    scratch = Bytes(width * height * 3)
    light = .allocate(capacity: width)
    light.initialize(repeating: 256, count: width)
    noise = .allocate(capacity: Self.noiseCount)
    let size = sigma * (Double(width) / 1280).squareRoot()
    for index in 0..<Self.noiseCount {
      (noise + index).initialize(to: Int((random.normal() * size).rounded()))
    }
    clamped = Bytes(1024)
    for value in 0..<1024 { clamped[value] = UInt8(min(max(value - 256, 0), 255)) }
  }

  deinit {
    light.deallocate()
    noise.deallocate()
  }

  /// Moves leaves, by up to 4 pixels of 1280.
  func rustle(_ pixels: Bytes, _ backdrop: Backdrop, at time: Double) {
    let scale = Double(width) / 1280
    let source = backdrop.pixels.base
    let target = pixels.base
    for index in backdrop.trees {
      let (row, column) = (Double(index / width) / scale, Double(index % width) / scale)
      let right =
        (2.5 * sin(time * 2.1 + row * 0.03) + 1.5 * sin(time * 5.3 + column * 0.05)) * scale
      let whole = Int(floor(right))
      let from = index + whole
      guard from >= 0, from + 1 < width * height else { continue }
      let share = Int((right - Double(whole)) * 256)
      var channel = 0
      while channel < 3 {
        let one = Int(source[from * 3 + channel]) * (256 - share)
        target[index * 3 + channel] = UInt8(
          (one + Int(source[from * 3 + 3 + channel]) * share) >> 8
        )
        channel += 1
      }
    }
  }

  /// Shifts the picture by parts of a pixel, as a tripod that shakes does.
  func shift(_ pixels: Bytes, right: Double, down: Double) {
    let (wholeRight, wholeDown) = (Int(floor(right)), Int(floor(down)))
    let u = Int((right - floor(right)) * 256)
    let v = Int((down - floor(down)) * 256)
    let (a, b) = ((256 - u) * (256 - v), u * (256 - v))
    let (c, d) = ((256 - u) * v, u * v)
    scratch.copy(pixels)
    let stride = width * 3
    var row = 0
    while row < height {
      let upper = min(max(row + wholeDown, 0), height - 1)
      let lower = min(max(row + wholeDown + 1, 0), height - 1)
      let from = scratch.base + upper * stride
      let below = scratch.base + lower * stride
      let target = pixels.base + row * stride
      let start = max(0, -wholeRight) * 3
      let end = min(width - 1, width - 1 - wholeRight) * 3
      var index = start
      while index < end {
        let place = index + wholeRight * 3
        let one = Int(from[place]) &* a &+ Int(from[place + 3]) &* b
        let other = Int(below[place]) &* c &+ Int(below[place + 3]) &* d
        target[index] = UInt8((one &+ other) >> 16)
        index &+= 1
      }
      row += 1
    }
  }

  /// A cloud's edge sweeps the court; the exposure follows.
  func cloud(_ pixels: Bytes, at time: Double) {
    var sum = 0.0
    for column in 0..<width {
      let place = Double(column) / Double(width) * 2 - 1
      let phase = time.truncatingRemainder(dividingBy: 20) - 10
      let sun = 1 / (1 + exp(-(place + phase * 0.35) * 4))
      light[column] = Int((0.62 + 0.38 * sun) * exposure * 256)
    }
    var index = 0
    while index < width * height {
      sum += Double(Int(pixels.base[index * 3 + 1]) * light[index % width]) / 256
      index += 97
    }
    let mean = sum / Double(width * height / 97) / exposure
    exposure += (min(max(110 / max(mean, 1), 0.6), 1.8) - exposure) * 0.06
  }

  /// The same light everywhere.
  func dim(to share: Double) { light.update(repeating: Int(share * 256), count: width) }

  /// Lays light and noise over the picture.
  func finish(_ pixels: Bytes, into target: UnsafeMutablePointer<UInt8>) {
    let source = pixels.base
    let table = clamped.base + 256
    var index = 0
    for _ in 0..<height {
      var grain = noise + random.below(Self.noiseCount - width)
      var column = 0
      while column < width {
        let gain = light[column]
        let add = grain.pointee
        target[index] = table[(Int(source[index]) &* gain) >> 8 &+ add]
        target[index &+ 1] = table[(Int(source[index &+ 1]) &* gain) >> 8 &+ add]
        target[index &+ 2] = table[(Int(source[index &+ 2]) &* gain) >> 8 &+ add]
        grain += 1
        column &+= 1
        index &+= 3
      }
    }
  }
}
