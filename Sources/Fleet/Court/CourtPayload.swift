import JSON

/// A record as a payload of bounded size, whatever the service says.
package enum CourtPayload {
  /// The greatest length of a payload, in bytes. A usual one has 50 to 700.
  package static let longest = 8192

  /// The bounds of one that is too long.
  private static let mostElements = 16
  private static let longestKey = 40
  /// For a broker's short packets no text is cut to less: a state's word and a stop's text stay whole.
  private static let shortestText = 32

  /// - Returns: nil for one that can't be made short enough by cutting its texts and lists.
  package static func bytes(of record: some Encodable) -> [UInt8]? {
    (try? JSONValue(encoding: record)).flatMap { bytes(of: $0, atMost: longest, shortestText: 1) }
  }

  /// - Parameter members: which ones may be left out, one after the other, if shorter texts and lists are not
  ///   enough; `a.b`: that of a member.
  /// - Returns: a payload with the same record, cut to so many bytes; nil if that can't be.
  static func cut(
    _ payload: [UInt8],
    toBytes longest: Int,
    leavingOut members: [String] = []
  ) -> [UInt8]? {
    guard var value = try? JSONValue(text: payload) else { return nil }
    for member in [nil] + members {
      if let member { value = Self.value(value, without: member.split(separator: ".")) }
      if let bytes = bytes(of: value, atMost: longest, shortestText: shortestText) { return bytes }
    }
    return nil
  }

  private static func value(_ value: JSONValue, without path: [Substring]) -> JSONValue {
    guard let first = path.first, case .object(var members) = value else { return value }
    let name = String(first)
    members[name] =
      path.count == 1
      ? nil : members[name].map { self.value($0, without: Array(path.dropFirst())) }
    return .object(members)
  }

  private static func bytes(
    of value: JSONValue,
    atMost longest: Int,
    shortestText: Int
  ) -> [UInt8]? {
    guard let whole = try? JSONEncoding.line(value) else { return nil }
    guard whole.count > longest else { return whole }
    var room = max(longest / 8, shortestText)
    var elements = mostElements
    while elements > 0 {
      let short = cut(value, to: room, elements)
      if let bytes = try? JSONEncoding.line(short), bytes.count <= longest { return bytes }
      if room / 2 >= shortestText { room /= 2 } else { elements /= 2 }
    }
    return nil
  }

  /// - Parameters:
  ///   - room: how many characters a text may have.
  ///   - elements: how many a list may have, the first ones.
  private static func cut(_ value: JSONValue, to room: Int, _ elements: Int) -> JSONValue {
    switch value {
    case .string(let text):
      text.unicodeScalars.count <= room
        ? value : .string("\(String.UnicodeScalarView(text.unicodeScalars.prefix(room - 1)))…")
    case .array(let list): .array(list.prefix(elements).map { cut($0, to: room, elements) })
    case .object(let members):
      .object(
        members.filter { $0.key.utf8.count <= longestKey }.mapValues { cut($0, to: room, elements) }
      )
    default: value
    }
  }
}
