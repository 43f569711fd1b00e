/// A queue that drops its oldest element when it is full.
package struct BoundedQueue<Element> {
  package let capacity: Int
  private var storage: [Element?] = []
  private var head = 0
  package private(set) var count = 0

  package init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
  }

  package var first: Element? { count == 0 ? nil : storage[head] }

  /// - Returns: whether the oldest element was dropped.
  package mutating func append(_ element: Element) -> Bool {
    let isFull = count == capacity
    if isFull { _ = popFirst() }
    let place = (head + count) % capacity
    if place == storage.count { storage.append(element) } else { storage[place] = element }
    count += 1
    return isFull
  }

  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head]
    storage[head] = nil
    head = (head + 1) % capacity
    count -= 1
    return element
  }
}

extension BoundedQueue: Sendable where Element: Sendable {}
