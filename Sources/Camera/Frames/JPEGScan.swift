/// What a scan of a baseline JPEG is made of, and a walk through it: which bytes are the picture's.
///
/// The library decodes what is there and fills in what isn't. This decodes no pixel, but knows whether
/// all are there.
struct JPEGScan {
  /// One of 8 by 8 pixels: which tables its values are written with, and whose it is.
  private struct Block {
    var dc: HuffmanTable
    var ac: HuffmanTable
    var component: Int
    /// What a step of its first value is worth.
    var step: Int
  }

  /// The blocks of a unit, in their order.
  private let blocks: [Block]
  private let units: Int
  /// Units from one restart marker to the next; 0: there are none.
  private let restarts: Int
  /// Where the first unit begins.
  let start: Int

  /// The brightest and the darkest block there is, with room for rounding. A walk that has lost its way
  /// soon finds others. Source: T.81, A.3.3, for 8 bits.
  private static let firstValues = -1100...1100

  /// Reads the header of a JPEG that begins with the first byte.
  ///
  /// - Returns: nil if it is none that ``JPEGHeader`` accepts, or contradicts itself.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var segments = JPEGSegments(bytes)
    guard segments.beginsPicture() else { return nil }
    var (dc, ac) = HuffmanTable.standard
    (dc, ac) = (dc + dc, ac + ac)
    var steps = [Int](repeating: 0, count: 4)
    var frame: [UInt8] = []
    var restarts = 0
    while true {
      guard let (marker, content) = try? segments.next() else { return nil }
      let fields = Array(content)
      switch marker {
      case 0xC0, 0xC1: frame = fields
      case 0xC4: guard Self.read(tables: fields, &dc, &ac) else { return nil }
      case 0xDB: guard Self.read(steps: fields, &steps) else { return nil }
      case 0xDD where fields.count == 2: restarts = Int(fields[0]) << 8 | Int(fields[1])
      case 0xDA:
        guard let (blocks, units) = Self.units(frame, fields, dc, ac, steps) else { return nil }
        (self.blocks, self.units, self.restarts) = (blocks, units, restarts)
        start = segments.at
        return
      case _: break
      }
    }
  }

  private static func read(
    tables fields: [UInt8],
    _ dc: inout [HuffmanTable],
    _ ac: inout [HuffmanTable]
  ) -> Bool {
    var rest = fields[...]
    while let kind = rest.popFirst() {
      let counts = rest.prefix(16)
      let symbols = rest.dropFirst(16).prefix(counts.reduce(0) { $0 + Int($1) })
      guard kind & 0xEC == 0, let table = HuffmanTable(counts: counts, symbols: symbols) else {
        return false
      }
      if kind & 0x10 == 0 { dc[Int(kind & 3)] = table } else { ac[Int(kind & 3)] = table }
      rest = rest.dropFirst(16 + symbols.count)
    }
    return true
  }

  private static func read(steps fields: [UInt8], _ steps: inout [Int]) -> Bool {
    var rest = fields[...]
    while let kind = rest.popFirst() {
      let isLong = kind >> 4 == 1
      let values = rest.prefix(isLong ? 128 : 64)
      guard kind & 0xEC == 0, values.count == (isLong ? 128 : 64) else { return false }
      steps[Int(kind & 3)] = values.prefix(isLong ? 2 : 1).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(values.count)
    }
    return true
  }

  /// - Parameters:
  ///   - frame: what the frame header says.
  ///   - scan: what the scan header says.
  private static func units(
    _ frame: [UInt8],
    _ scan: [UInt8],
    _ dc: [HuffmanTable],
    _ ac: [HuffmanTable],
    _ steps: [Int]
  ) -> (blocks: [Block], units: Int)? {
    guard frame.count >= 6 else { return nil }
    let count = Int(frame[5])
    guard [1, 3].contains(count), frame.count >= 6 + 3 * count, scan.count >= 1 + 2 * count else {
      return nil
    }
    let height = Int(frame[1]) << 8 | Int(frame[2])
    let width = Int(frame[3]) << 8 | Int(frame[4])
    var blocks: [Block] = []
    var most = (across: 1, down: 1)
    for component in 0..<count {
      let about = frame[(6 + 3 * component)...].prefix(3).map(Int.init)
      let used = scan[(1 + 2 * component)...].prefix(2).map(Int.init)
      let (across, down) = (about[1] >> 4, about[1] & 15)
      guard used[0] == about[0], (1...4).contains(across), (1...4).contains(down),
        about[2] < 4, used[1] & 0xCC == 0
      else { return nil }
      let block = Block(
        dc: dc[used[1] >> 4],
        ac: ac[used[1] & 3],
        component: component,
        step: steps[about[2]]
      )
      // The only one's blocks come row by row.
      blocks += Array(repeating: block, count: count == 1 ? 1 : across * down)
      if count > 1 { most = (max(most.across, across), max(most.down, down)) }
    }
    let (unitWidth, unitHeight) = (8 * most.across, 8 * most.down)
    let units = (width + unitWidth - 1) / unitWidth * ((height + unitHeight - 1) / unitHeight)
    return (blocks, units)
  }

  /// Where the scan's pieces between restart markers are, without what lies behind each before the next
  /// marker.
  ///
  /// - Parameter mostStray: how many such bytes a piece may have; any number if they are all the same,
  ///   as padding is.
  /// - Returns: nil if a part of the picture is missing or can't be right.
  func pieces(of bytes: UnsafeRawBufferPointer, mostStray: Int) -> [Range<Int>]? {
    var pieces: [Range<Int>] = []
    var begin = start
    var left = units
    while true {
      let count = restarts == 0 ? left : min(restarts, left)
      var bits = ScanBits(bytes, from: begin)
      guard walk(count, &bits) else { return nil }
      left -= count
      let end = bits.place
      let next = bits.nextMarker
      let strays = bytes[end..<(next ?? bytes.count)]
      guard strays.count <= mostStray || strays.allSatisfy({ $0 == strays.first }) else {
        return nil
      }
      pieces.append(begin..<end)
      guard left > 0 else { return pieces }
      guard let next, bytes[next + 1] == 0xD0 + UInt8((pieces.count - 1) % 8) else { return nil }
      begin = next + 2
    }
  }

  private func walk(_ count: Int, _ bits: inout ScanBits) -> Bool {
    var values = (0, 0, 0)
    for _ in 0..<count {
      for block in blocks {
        guard let size = bits.symbol(block.dc), size <= 11, let change = bits.value(Int(size))
        else {
          return false
        }
        let value: Int
        switch block.component {
        case 0:
          values.0 += change
          value = values.0
        case 1:
          values.1 += change
          value = values.1
        case _:
          values.2 += change
          value = values.2
        }
        guard Self.firstValues.contains(value * block.step) else { return false }
        var place = 1
        while place < 64 {
          guard let symbol = bits.symbol(block.ac) else { return false }
          let size = Int(symbol & 15)
          if size == 0 {
            guard symbol == 0xF0 else { break }
            place += 16
          } else {
            place += Int(symbol >> 4) + 1
            guard size <= 10, bits.skip(size) else { return false }
          }
        }
        guard place <= 64 else { return false }
      }
    }
    return true
  }
}

/// The bits of a scan up to the next marker.
private struct ScanBits {
  private let bytes: UnsafeRawBufferPointer
  private let begin: Int
  private var at: Int
  /// The next bits, the first one uppermost.
  private var bits: UInt64 = 0
  private var count = 0
  private var taken = 0

  init(_ bytes: UnsafeRawBufferPointer, from begin: Int) {
    self.bytes = bytes
    self.begin = begin
    at = begin
  }

  /// After a byte 0xFF: where the byte after it, or after more of them, is.
  private static func after(_ place: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    var after = place + 1
    while after < bytes.count, bytes[after] == 0xFF { after += 1 }
    return after
  }

  private mutating func fill() {
    while count <= 56, at < bytes.count {
      let byte = bytes[at]
      if byte == 0xFF {
        let after = Self.after(at, in: bytes)
        // A marker, or the end.
        guard after < bytes.count, bytes[after] == 0 else { return }
        at = after + 1
      } else {
        at += 1
      }
      bits |= UInt64(byte) << UInt64(56 - count)
      count += 8
    }
  }

  mutating func skip(_ length: Int) -> Bool {
    if count < length { fill() }
    guard count >= length else { return false }
    bits <<= UInt64(length)
    count -= length
    taken += length
    return true
  }

  mutating func symbol(_ table: HuffmanTable) -> UInt8? {
    if count < 16 { fill() }
    let short = table.short[Int(bits >> 56)]
    if short != 0 {
      return skip(Int(short >> 8)) ? UInt8(truncatingIfNeeded: short) : nil
    }
    guard let (length, symbol) = table.long(UInt32(bits >> 48)), skip(length) else { return nil }
    return symbol
  }

  /// A number of so many bits. Source: T.81, F.2.2.1.
  mutating func value(_ size: Int) -> Int? {
    guard size > 0 else { return 0 }
    if count < size { fill() }
    let number = Int(bits >> UInt64(64 - size))
    guard skip(size) else { return nil }
    return number < 1 << (size - 1) ? number - (1 << size) + 1 : number
  }

  /// Where the byte after the last one is of which bits were taken.
  var place: Int {
    // Most often only bits of one byte are left.
    var rest = (taken + 7) / 8
    var place = begin
    while rest > 0 {
      place = bytes[place] == 0xFF ? Self.after(place, in: bytes) + 1 : place + 1
      rest -= 1
    }
    return place
  }

  /// Where the next marker is; nil if there is none.
  var nextMarker: Int? {
    var place = at
    while place < bytes.count {
      guard bytes[place] == 0xFF else {
        place += 1
        continue
      }
      let after = Self.after(place, in: bytes)
      guard after < bytes.count else { return nil }
      if bytes[after] != 0 { return after - 1 }
      place = after + 1
    }
    return nil
  }
}
