/// A queue that forgets its oldest element rather than grow.
struct BoundedQueue<Element> {
  let capacity: Int
  private var storage: [Element?] = []
  private var head = 0
  private(set) var count = 0

  init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
  }

  var first: Element? { count == 0 ? nil : storage[head] }

  /// - Returns: whether the oldest element had to go.
  mutating func append(_ element: Element) -> Bool {
    let isFull = count == capacity
    if isFull { _ = popFirst() }
    let place = (head + count) % capacity
    if place == storage.count { storage.append(element) } else { storage[place] = element }
    count += 1
    return isFull
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head]
    storage[head] = nil
    head = (head + 1) % capacity
    count -= 1
    return element
  }
}
