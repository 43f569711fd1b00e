package import Host

/// Which box this is on a broker: 32 hexadecimal digits, made once.
///
/// The box's marks stand beside it: an ID that has come with a copy of another box's card is not this
/// one's. A box without a mark can't see that, and keeps it.
package struct BoxIdentity: Sendable {
  private static let length = 32

  private struct Content: Hashable {
    var id: String
    var marks: BoxMarks
  }

  private let file: StateFile
  private let marks: BoxMarks

  /// - Parameter marks: of this box.
  package init(in directory: StateDirectory, marks: BoxMarks = BoxMarks()) {
    file = StateFile("box", in: directory, mode: 0o600)
    self.marks = marks
  }

  package var path: String { file.path }

  /// The ID. It is made now if there is none.
  package func load() throws(StateFileError) -> String {
    let former = try read()
    if let former, former.marks.fit(marks) {
      let content = Content(id: former.id, marks: marks.adding(former.marks))
      // A full disk keeps no court from the broker.
      if content != former { try? write(content) }
      return former.id
    }
    let id = (0..<Self.length).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    try write(Content(id: id, marks: marks))
    return id
  }

  /// - Returns: nil if it isn't made yet, is another box's, or can't be read.
  package var known: String? {
    guard let content = try? read(), content.marks.fit(marks) else { return nil }
    return content.id
  }

  private func write(_ content: Content) throws(StateFileError) {
    let lines = [content.id] + content.marks.lines
    try file.write(Array(lines.map { "\($0)\n" }.joined().utf8))
  }

  private func read() throws(StateFileError) -> Content? {
    guard let bytes = try file.read() else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let id = lines.first, id.utf8.count == Self.length, id.allSatisfy(\.isHexDigit) else {
      return nil
    }
    return Content(id: String(id), marks: BoxMarks(lines: lines.dropFirst()))
  }
}
