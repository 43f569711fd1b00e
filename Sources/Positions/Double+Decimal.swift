import Host

extension Double {
  /// Reads a decimal number; `Double(_:)` alone would also take “nan”, “inf” and “0x1p4”.
  init?(decimal text: some StringProtocol) {
    guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) else { return nil }
    self.init(text)
  }
}
