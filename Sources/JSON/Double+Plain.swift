extension Double {
  /// Whole numbers without `.0`.
  package var plain: String {
    self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
  }
}
