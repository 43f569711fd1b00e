package import Terminal

/// What a person has chosen by keys in the office's table. Pure.
package struct CourtScreen: Hashable, Sendable {
  private static let longestFilter = 64
  /// More lines than a page can have.
  private static let farthest = 1_000_000

  package var order = CourtList.Order.worst
  package var kind: CourtList.Kind?
  package private(set) var filter = ""
  /// Whether keys go into the filter.
  package private(set) var isTyping = false
  /// The chosen court's name in the topics.
  package private(set) var selected: String?
  /// The first row that is shown.
  package private(set) var top = 0
  /// Whether the chosen court has the screen for itself.
  package private(set) var isPage = false
  /// The page's first line that is shown.
  package private(set) var pageTop = 0

  package init() {}

  /// Takes a key.
  ///
  /// - Parameters:
  ///   - courts: those that are listed, in their order.
  ///   - room: how many rows, or lines of the page, the screen shows.
  /// - Returns: false to leave.
  package mutating func press(_ key: TerminalKey, on courts: [String], room: Int) -> Bool {
    if isPage {
      pressOnPage(key, room: room)
      return true
    }
    if isTyping, type(key) { return true }
    switch key {
    case .character("q"): return false
    case .character("/"): isTyping = true
    case .character("o"): order = order == .worst ? .name : .worst
    case .enter where courts.contains { $0 == selected } || selected == nil:
      guard let court = selected ?? courts.first else { break }
      (selected, isPage, pageTop) = (court, true, 0)
    case .escape:
      if filter.isEmpty { selected = nil }
      filter = ""
    default: move(key, on: courts, room: room)
    }
    return true
  }

  /// Whether the key belongs to the filter.
  private mutating func type(_ key: TerminalKey) -> Bool {
    switch key {
    case .character(let character):
      if filter.count < Self.longestFilter { filter.append(character) }
    case .backspace:
      if filter.isEmpty { isTyping = false }
      filter = String(filter.dropLast())
    case .enter: isTyping = false
    case .escape: (filter, isTyping) = ("", false)
    default: return false
    }
    return true
  }

  private mutating func move(_ key: TerminalKey, on courts: [String], room: Int) {
    guard let step = Self.step(key, room: room), !courts.isEmpty else { return }
    let last = courts.count - 1
    let place = courts.firstIndex { $0 == selected }
    let next =
      switch step {
      case .min: 0
      case .max: last
      default: place.map { $0 + step } ?? (step > 1 ? step : 0)
      }
    selected = courts[min(max(next, 0), last)]
  }

  private mutating func pressOnPage(_ key: TerminalKey, room: Int) {
    switch key {
    case .escape, .character("q"), .backspace: isPage = false
    default:
      guard let step = Self.step(key, room: room) else { return }
      // The next frame brings it back to the page's end.
      pageTop =
        switch step {
        case .min: 0
        case .max: Self.farthest
        default: min(max(0, pageTop + step), Self.farthest)
        }
    }
  }

  /// How far a key moves; the smallest and the greatest number: to the beginning and the end.
  private static func step(_ key: TerminalKey, room: Int) -> Int? {
    switch key {
    case .up, .character("k"): -1
    case .down, .character("j"): 1
    case .pageUp: -max(1, room)
    case .pageDown: max(1, room)
    case .home: .min
    case .end: .max
    default: nil
    }
  }

  /// Moves the rows that are shown as little as it must: the chosen one is among them. Without one it is the
  /// beginning.
  package mutating func scroll(to courts: [String], room: Int) {
    let place = selected.flatMap { selected in courts.firstIndex { $0 == selected } }
    let room = max(1, room)
    guard let place else {
      top = 0
      return
    }
    top = min(max(top, place - room + 1), place)
    top = max(0, min(top, courts.count - room))
  }

  /// - Parameter count: the page's lines.
  package mutating func scrollPage(_ count: Int, room: Int) {
    pageTop = max(0, min(pageTop, count - room))
  }
}
