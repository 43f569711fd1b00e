/// A name that people take for another one: it differs only in blanks, in characters that don't show, or in
/// capitals.
package enum NearName {
  /// Whether two different names look alike. Names are matched as they are: this is only told.
  package static func looksLike(_ name: String, _ other: String) -> Bool {
    name != other && visible(name) == visible(other)
  }

  private static func visible(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: name.unicodeScalars.filter { !isBlank($0) })
    return String(scalars).lowercased()
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// The name with what doesn't show as `\u0020`, say, which YAML's quotes and bash's `$'…'` read.
  package static func spelled(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    let blanks = scalars.map(isBlank)
    return scalars.indices.map { index in
      let scalar = scalars[index]
      let isInside = index > 0 && index < scalars.count - 1 && !blanks[index - 1]
      if scalar == " ", isInside, !blanks[index + 1] { return " " }
      guard blanks[index] || scalar == "'" || scalar == "\"" || scalar == "\\" else {
        return String(scalar)
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let isLong = digits.utf8.count > 4
      let zeros = String(repeating: "0", count: (isLong ? 8 : 4) - digits.utf8.count)
      return (isLong ? "\\U" : "\\u") + zeros + digits
    }.joined()
  }
}
