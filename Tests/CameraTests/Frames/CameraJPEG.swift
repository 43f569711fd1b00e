import Foundation

@testable import Camera

/// A JPEG as a webcam's chip makes it, with restart markers, and without Huffman tables: an encoder of
/// the tests' own, because libjpeg's sets no such markers.
struct CameraJPEG {
  /// All before the scan.
  let header: [UInt8]
  /// The scan's pieces between restart markers.
  let pieces: [[UInt8]]

  /// What such a camera adds or leaves out.
  struct Faults: Sendable {
    var beginnings = 1
    /// The bytes behind each piece.
    var stray: @Sendable (Int) -> [UInt8] = { _ in [] }
    var hasEnd = true
  }

  func bytes(_ faults: Faults = Faults()) -> [UInt8] {
    var bytes = Array(repeating: [0xFF, 0xD8] as [UInt8], count: faults.beginnings - 1).flatMap(
      \.self
    )
    bytes += header
    for (index, piece) in pieces.enumerated() {
      bytes += piece + faults.stray(index)
      if index < pieces.count - 1 { bytes += [0xFF, 0xD0 + UInt8(index % 8)] }
    }
    return bytes + (faults.hasEnd ? [0xFF, 0xD9] : [])
  }

  /// Encodes a picture with colours of half the width, 4:2:2.
  ///
  /// - Parameters:
  ///   - picture: its sides are multiples of 16 and 8.
  ///   - restarts: units of 16 by 8 pixels between two markers; 0: no markers.
  init(_ picture: ColourPicture, restarts: Int) throws {
    let (width, height) = (picture.width, picture.height)
    var header: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 8] + Array("AVI1".utf8) + [0, 0]
    header += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: Self.step, count: 64)
    header += [0xFF, 0xDD, 0, 4, UInt8(restarts >> 8), UInt8(restarts & 0xFF)]
    header +=
      [0xFF, 0xC0, 0, 17, 8]
      + [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map(UInt8.init)
    header += [3, 1, 0x21, 0, 2, 0x11, 0, 3, 0x11, 0]
    header += [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]
    self.header = header
    let codes = try Codes()
    let planes = picture.planes
    var pieces: [[UInt8]] = []
    var writer = BitWriter()
    var last = [0, 0, 0]
    var count = 0
    for row in stride(from: 0, to: height, by: 8) {
      for column in stride(from: 0, to: width, by: 16) {
        if restarts > 0, count == restarts {
          pieces.append(writer.end())
          (writer, last, count) = (BitWriter(), [0, 0, 0], 0)
        }
        writer.add(planes.0.block(column, row, 1), &last[0], codes.luma)
        writer.add(planes.0.block(column + 8, row, 1), &last[0], codes.luma)
        writer.add(planes.1.block(column, row, 2), &last[1], codes.colour)
        writer.add(planes.2.block(column, row, 2), &last[2], codes.colour)
        count += 1
      }
    }
    self.pieces = pieces + [writer.end()]
  }

  fileprivate static let step: UInt8 = 8
}

/// One kind of samples of a picture, at full size.
private struct Plane {
  var width: Int
  var samples: [Float]

  /// The quantized values of 8 by 8 samples, in zigzag order, each the mean of `across` in a row.
  func block(_ column: Int, _ row: Int, _ across: Int) -> [Int] {
    var values = [Float](repeating: 0, count: 64)
    for y in 0..<8 {
      for x in 0..<8 {
        let first = (row + y) * width + column + x * across
        values[y * 8 + x] = samples[first..<first + across].reduce(0, +) / Float(across) - 128
      }
    }
    // Rows, then columns.
    var half = [Float](repeating: 0, count: 64)
    for y in 0..<8 {
      for u in 0..<8 {
        for x in 0..<8 { half[y * 8 + u] += values[y * 8 + x] * Self.cosines[u * 8 + x] }
      }
    }
    return Self.zigzag.map { place in
      let (u, v) = (place % 8, place / 8)
      var sum: Float = 0
      for y in 0..<8 { sum += half[y * 8 + u] * Self.cosines[v * 8 + y] }
      return Int((sum / Float(CameraJPEG.step)).rounded())
    }
  }

  private static let cosines = (0..<64).map { index -> Float in
    let (u, x) = (Double(index / 8), Double(index % 8))
    return Float(cos((2 * x + 1) * u * .pi / 16) * (u == 0 ? 0.5.squareRoot() : 1) / 2)
  }

  /// Along the diagonals, up and down by turns.
  private static let zigzag = (0..<64).sorted { one, other in
    func key(_ place: Int) -> (Int, Int) {
      let sum = place % 8 + place / 8
      return (sum, sum.isMultiple(of: 2) ? place % 8 : place / 8)
    }
    return key(one) < key(other)
  }
}

extension ColourPicture {
  /// Brightness, blueness and redness. Source: JFIF.
  fileprivate var planes: (Plane, Plane, Plane) {
    var all = (0..<3).map { _ in [Float]() }
    for place in stride(from: 0, to: bytes.count, by: 3) {
      let (blue, green, red) = (
        Float(bytes[place]), Float(bytes[place + 1]), Float(bytes[place + 2])
      )
      let luma = 0.299 * red + 0.587 * green + 0.114 * blue
      all[0].append(luma)
      all[1].append((blue - luma) * 0.564 + 128)
      all[2].append((red - luma) * 0.713 + 128)
    }
    return (
      Plane(width: width, samples: all[0]), Plane(width: width, samples: all[1]),
      Plane(width: width, samples: all[2])
    )
  }
}

/// The standard's codes, as libjpeg writes them.
private struct Codes {
  typealias Table = [UInt8: (code: Int, length: Int)]
  typealias Pair = (dc: Table, ac: Table)

  let luma: Pair
  let colour: Pair

  init() throws {
    let bytes = try JPEGCodec.write(.gradient(width: 16, height: 16))
    var tables: [UInt8: Table] = [:]
    bytes.withUnsafeBytes { bytes in
      var segments = JPEGSegments(bytes)
      _ = segments.beginsPicture()
      while let (marker, content) = try? segments.next(), marker != 0xDA {
        if marker == 0xC4 { tables[content.first!] = Self.table(Array(content.dropFirst())) }
      }
    }
    luma = (tables[0x00]!, tables[0x10]!)
    colour = (tables[0x01]!, tables[0x11]!)
  }

  private static func table(_ fields: [UInt8]) -> Table {
    var table: Table = [:]
    var code = 0
    var place = 16
    for length in 1...16 {
      for _ in 0..<fields[length - 1] {
        table[fields[place]] = (code, length)
        code += 1
        place += 1
      }
      code <<= 1
    }
    return table
  }
}

private struct BitWriter {
  private var bytes: [UInt8] = []
  private var bits = 0
  private var count = 0

  private mutating func add(_ value: Int, _ length: Int) {
    for bit in (0..<length).reversed() {
      bits = bits << 1 | value >> bit & 1
      count += 1
      guard count == 8 else { continue }
      bytes.append(UInt8(bits))
      if bits == 0xFF { bytes.append(0) }
      (bits, count) = (0, 0)
    }
  }

  private mutating func add(_ value: Int, zeros: Int, _ table: Codes.Table) {
    let size = Int.bitWidth - abs(value).leadingZeroBitCount
    let (code, length) = table[UInt8(zeros << 4 | size)]!
    add(code, length)
    add(value < 0 ? value + 1 << size - 1 : value, size)
  }

  mutating func add(_ block: [Int], _ last: inout Int, _ codes: Codes.Pair) {
    add(block[0] - last, zeros: 0, codes.dc)
    last = block[0]
    var zeros = 0
    for value in block.dropFirst() {
      guard value != 0 else {
        zeros += 1
        continue
      }
      while zeros > 15 {
        let (code, length) = codes.ac[0xF0]!
        add(code, length)
        zeros -= 16
      }
      add(value, zeros: zeros, codes.ac)
      zeros = 0
    }
    if zeros > 0 {
      let (code, length) = codes.ac[0x00]!
      add(code, length)
    }
  }

  /// The bytes, filled up with ones.
  mutating func end() -> [UInt8] {
    while count > 0 { add(1, 1) }
    return bytes
  }
}
