extension Calibration {
  /// A text that is the same for the same size, lens and points, in every program; other
  /// calibrations have another one.
  package var digest: String {
    func thousandths(_ number: Double) -> Int { Int((number * 1000).rounded()) }
    let points = CourtMark.allCases.compactMap { mark in
      marks[mark].map { " \(mark.rawValue) \(thousandths($0.u)) \(thousandths($0.v))" }
    }
    let text = "\(size.width) \(size.height) \(thousandths(lens))" + points.joined()
    // FNV-1a with 64 bits. Source: RFC 9923.
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
