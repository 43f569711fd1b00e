import JSON

/// Whose court it is, as the broker's message `box` says. Pure.
///
/// ```
///  asking ──┬─ this one's ──▶ held ◀── 1 s ── claiming ── a greater one's ──▶ others
///           ├─ no box ──▶ questioning ── 1 s ───▲  ▲
///           ├─ no box, another had it ──▶ waiting ─┘ 120 s, or removed: questioning first
///           ├─ another's ──▶ others ── removed ──▶ questioning
///           └─ unreadable ──▶ unreadable ── removed ──▶ questioning
/// ```
///
/// A broker that doesn't deliver a claim may have lost it, or keeps it elsewhere. So a box asks before it takes
/// a court: it publishes an empty `box` that isn't kept. An owner that is connected, of an earlier version
/// too, publishes its claim again. Of two newcomers the one with the greater ID keeps the court.
///
/// A removal by a person looks like a question. But it comes after an empty `availability`; and where a claim
/// was kept, none asks.
struct CourtClaim: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// What the broker keeps has not come yet.
    case asking
    /// Another box had it. The broker doesn't know that any more.
    case waiting
    /// An owner that is there answers.
    case questioning
    /// It is this one's, unless a newcomer with a greater ID claims it, too.
    case claiming
    case held
    /// Another box's, by its ID; whether the broker had kept its claim.
    case others(String, isKept: Bool)
    /// The broker keeps a claim that can't be read. Only the court's owner replaces it.
    case unreadable
  }

  enum Wait: Hashable, Sendable {
    /// For an owner's answer.
    case answer
    /// For the box whose court it was.
    case comeback
  }

  /// What is to be done, in order.
  enum Action: Hashable, Sendable {
    /// Publish the question.
    case ask
    /// Publish the claim.
    case claim
    /// Call ``expire(_:)`` with the number after that.
    case wait(Wait, number: Int)
    /// The court is this box's: publish the claim and the newest message of each topic.
    case open
    /// The broker may have lost all: publish it again.
    case repeatAll
    /// The court is another box's.
    case refuse(by: String)
    /// A `box` of so many bytes says nothing; an owner publishes its claim again.
    case report(unreadable: Int, isMended: Bool)
    /// Publish nothing more.
    case leave
  }

  /// The longest ID, and the longest message that has one, in bytes.
  private static let longestID = 64
  private static let longest = 1_024

  /// This box's ID.
  let box: String
  /// Whose it was at the connection before.
  private(set) var former: FormerOwner
  private(set) var state = State.asking
  private var waits = 0
  /// Whether a person removes the court.
  private var isRemoved = false

  /// Whether the court is this box's, as far as is known.
  var isOwn: Bool { state == .claiming || state == .held }

  /// The message that says that the court is this box's.
  var payload: [UInt8] {
    // A text: it can't fail.
    (try? JSONEncoding.line(CourtBoxRecord(box: box))) ?? []
  }

  init(box: String, former: FormerOwner = .unknown) {
    self.box = box
    self.former = former
  }

  /// A new connection asks again.
  mutating func reconnect() {
    switch state {
    case .claiming, .held: former = .this
    case .others, .unreadable: former = .other
    case .asking, .waiting, .questioning: break
    }
    isRemoved = false
    enter(.asking)
  }

  /// The broker has sent what it keeps.
  mutating func isComplete() -> [Action] {
    guard state == .asking else { return [] }
    return former == .other ? wait(.comeback, in: .waiting) : ask()
  }

  /// A wait is over, unless something has ended it.
  mutating func expire(_ number: Int) -> [Action] {
    guard number == waits else { return [] }
    switch state {
    case .waiting: return ask()
    case .questioning: return [.open] + wait(.answer, in: .claiming)
    case .claiming:
      enter(.held)
      return []
    case .asking, .held, .others, .unreadable: return []
    }
  }

  /// - Parameters:
  ///   - payload: of `box`; empty: a question, or a person has removed it.
  ///   - isKept: whether the broker had kept it.
  mutating func receive(_ payload: [UInt8], isKept: Bool) -> [Action] {
    if payload.isEmpty { return receiveNothing() }
    guard let other = Self.box(of: payload) else { return receiveUnreadable(payload.count) }
    if other == box { return receiveOwn() }
    if state == .claiming, !isKept, other < box { return [.claim] }
    enter(.others(other, isKept: isKept))
    return [.refuse(by: other), .leave]
  }

  /// The court's `availability` was removed, or is there again.
  mutating func receive(removal isRemoved: Bool) { self.isRemoved = isRemoved }

  private static func box(of payload: [UInt8]) -> String? {
    guard payload.count <= longest, let box = CourtBoxRecord(payload: payload)?.box,
      (1...longestID).contains(box.utf8.count)
    else { return nil }
    return box
  }

  private mutating func receiveNothing() -> [Action] {
    switch state {
    case .claiming, .held: return [.repeatAll]
    case .waiting where !isRemoved: return []
    // The owner may be the one that asks.
    case .others(_, isKept: false) where !isRemoved, .unreadable where !isRemoved:
      former = .other
      return wait(.comeback, in: .waiting)
    case .waiting, .others, .unreadable:
      (former, isRemoved) = (.unknown, false)
      return ask()
    // Its own question comes back, too.
    case .asking, .questioning: return []
    }
  }

  private mutating func receiveOwn() -> [Action] {
    switch state {
    case .claiming, .held: return []
    case .asking, .waiting, .questioning, .others, .unreadable:
      enter(.held)
      return [.open]
    }
  }

  private mutating func receiveUnreadable(_ count: Int) -> [Action] {
    switch state {
    case .claiming, .held: return [.report(unreadable: count, isMended: true), .claim]
    // Another box may have it by now.
    case .asking where former == .this: return [.report(unreadable: count, isMended: true)] + ask()
    case .questioning where former == .this: return []
    case .others: return []
    case .asking, .waiting, .questioning, .unreadable:
      enter(.unreadable)
      return [.report(unreadable: count, isMended: false), .leave]
    }
  }

  private mutating func ask() -> [Action] { [.ask] + wait(.answer, in: .questioning) }

  private mutating func wait(_ wait: Wait, in state: State) -> [Action] {
    enter(state)
    return [.wait(wait, number: waits)]
  }

  private mutating func enter(_ new: State) {
    state = new
    waits += 1
  }
}
