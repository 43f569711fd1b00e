/// How deep and how wide a JSON text is, told without reading it: a decoder recurses once a level,
/// and takes its time for each value. Whether the text is JSON at all is the decoder's business.
struct JSONShape: Hashable {
  /// The most levels of arrays and objects in one another.
  private(set) var depth = 0
  /// Separators between elements, names and values: at least as many as values, but for one.
  private(set) var separators = 0

  init(_ text: some Sequence<UInt8>) {
    var level = 0
    var isInString = false
    var isEscaped = false
    for byte in text {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        level += 1
        depth = max(depth, level)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): level -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): separators += 1
      default: break
      }
    }
  }
}
