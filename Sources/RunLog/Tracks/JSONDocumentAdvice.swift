import Host
import JSON
import Positions

/// How the positions of a JSON document become lines of their own.
package struct JSONDocumentAdvice: Hashable, Sendable {
  /// The program of `jq -c` that does it; nil: the document has no list of objects.
  package let program: String?
  /// Whether its times are the numbers of pictures.
  package let hasFrames: Bool

  init(_ members: [String: JSONValue]) {
    let lists = Self.lists(in: .object(members), at: "", depth: 0)
    // The longest one with places in it; else the longest.
    let best = lists.max { a, b in
      let (x, y) = (Self.place(a.first) != nil, Self.place(b.first) != nil)
      return x == y ? (a.count, b.path) < (b.count, a.path) : y
    }
    guard let best else {
      (program, hasFrames) = (nil, false)
      return
    }
    var parts: [String] = []
    let time = Self.times.first { best.first[$0] != nil }
    if best.isNumbered {
      parts.append("t: $t")
    } else if let time {
      parts.append(time == "t" ? "t" : "t: .\(time)")
    }
    parts.append(Self.place(best.first) ?? "x: .X, y: .Y")
    let others = PositionKey.confidence.names + PositionKey.id.names
    parts += others.filter { best.first[$0] != nil }
    program = "\(best.path)[] | {\(parts.joined(separator: ", "))}"
    hasFrames = best.isNumbered || time?.hasPrefix("frame") == true
  }

  private static let times = PositionKey.time.names + ["frame_id"]
  private static let deepest = 4

  private struct List {
    var path: String
    var count: Int
    var first: [String: JSONValue]
    /// Whether it is one of many, with numbers of pictures in their names.
    var isNumbered = false
  }

  private static func lists(in value: JSONValue, at path: String, depth: Int) -> [List] {
    switch value {
    case .array(let values):
      guard case .object(let first)? = values.first else { return [] }
      return [List(path: path.isEmpty ? "." : path, count: values.count, first: first)]
    case .object(let members) where depth < deepest:
      if let numbered = numbered(members, at: path) { return [numbered] }
      return members.sorted { $0.key < $1.key }.flatMap { key, value in
        isPlain(key) ? lists(in: value, at: "\(path).\(key)", depth: depth + 1) : []
      }
    default: return []
    }
  }

  /// A list for each picture, such as `frame_0`, `frame_1`: nil unless all are named alike.
  private static func numbered(_ members: [String: JSONValue], at path: String) -> List? {
    let names = Set(members.keys.map { $0.prefix { !$0.isNumber } })
    guard members.count > 1, let name = names.first, names.count == 1, isPlain("a\(name)"),
      members.keys.allSatisfy({ Int($0.dropFirst(name.count)) != nil })
    else { return nil }
    let found = members.sorted { $0.key < $1.key }
      .flatMap { lists(in: $0.value, at: "", depth: deepest) }
    guard let first = found.first?.first else { return nil }
    let number = name.isEmpty ? ".key" : "(.key | ltrimstr(\"\(name)\"))"
    return List(
      path:
        "\(path.isEmpty ? "" : path + " | ")to_entries[] | (\(number) | tonumber) as $t | .value",
      count: found.reduce(0) { $0 + $1.count },
      first: first,
      isNumbered: true
    )
  }

  /// A position's fields for jq: x and y, or the first array of two numbers.
  private static func place(_ members: [String: JSONValue]) -> String? {
    if members["x"]?.number != nil, members["y"]?.number != nil { return "x, y" }
    let pair = members.sorted { $0.key < $1.key }.first { key, value in
      guard isPlain(key), case .array(let values) = value else { return false }
      return values.count == 2 && values.allSatisfy { $0.number != nil }
    }
    return pair.map { "x: .\($0.key)[0], y: .\($0.key)[1]" }
  }

  /// Whether jq takes it as a field's name, and it is safe to print.
  private static func isPlain(_ key: String) -> Bool {
    key.utf8.first?.isDigit == false && key.utf8.count <= 40
      && key.utf8.allSatisfy {
        $0.isDigit || $0 == UInt8(ascii: "_") || (97...122).contains($0 | 32)
      }
  }
}
