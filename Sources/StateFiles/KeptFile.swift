package import Host
import JSON

/// What a ``KeptFile`` tells.
package enum Kept<Content: Sendable>: Sendable {
  /// There is no file.
  case nothing
  case content(Content)
  /// There is a file, or may be one, that can't be used: it is damaged, or has another version, or comes
  /// from another box, or is no file of ours, or its directory is none that we use. What it said is not
  /// known: its keeper assumes what is safe.
  case unreadable
}

extension Kept: Equatable where Content: Equatable {}

/// A value that outlives a restart, in a file of the state directory: an object of JSON that also has the
/// number of its form and, where it counts on one box alone, the marks of that box.
///
/// A damaged file is not lost: it is set aside before another one is written.
///
/// It waits for a disk: its keeper calls it on an executor for that.
package final class KeptFile<Content: Codable & Sendable>: Sendable {
  private struct State {
    /// The marks that the file gets; nil: none.
    var marks: BoxMarks?
    /// Whether there is a file that can't be used, which is set aside before the next one is written.
    var isBroken = false
    /// What the file does not say yet; nil: it is up to date.
    var unwritten: Kept<Content>?
    var isRetryComing = false
    var onlyLooks = false
  }

  /// Nil keeps nothing.
  package let place: StateFile?
  private let version: Int?
  private let needsMarks: Bool
  private let keys: Set<String>?
  private let retry: WriteRetry?
  private let loss: String
  private let warn: @Sendable (String) -> Void
  private let state: Locked<State>

  /// - Parameters:
  ///   - place: nil keeps nothing.
  ///   - version: the number of the file's form. One with another number is not read. Nil: it has none.
  ///   - marks: of this box; nil: the file has none.
  ///   - needsMarks: false where an earlier version has written files without marks.
  ///   - keys: those that the file may have; nil: others are left out.
  ///   - retry: writes later what could not be written; nil: then it is given up.
  ///   - loss: what follows if the file can't be read, in a sentence.
  ///   - warn: is told, in a sentence without a full stop, what a technician should know.
  package init(
    _ place: StateFile?,
    version: Int? = 1,
    marks: BoxMarks? = nil,
    needsMarks: Bool = false,
    keys: Set<String>? = nil,
    retry: WriteRetry? = nil,
    loss: String,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.place = place
    self.version = version
    self.needsMarks = needsMarks
    self.keys = keys
    self.retry = retry
    self.loss = loss
    self.warn = warn
    state = Locked(State(marks: marks))
  }

  /// Changes no file from now on.
  package func onlyLook() {
    state.withLock { state in
      state.onlyLooks = true
      state.unwritten = nil
    }
  }

  package var onlyLooks: Bool { state.withLock(\.onlyLooks) }

  // MARK: Reading

  /// What is kept, also if the disk has not taken it yet. A warning says why it can't be read.
  ///
  /// - Parameter settingAside: whether a damaged file is set aside at once.
  package func read(settingAside: Bool = false) -> Kept<Content> {
    guard let place else { return .nothing }
    return state.withLock { state in
      if let unwritten = state.unwritten { return unwritten }
      state.isBroken = false
      var trouble: String
      do throws(StateFileError) {
        guard let bytes = try place.read() else { return .nothing }
        return .content(try content(bytes, &state))
      } catch .broken(let how) {
        trouble = "\(place.path) \(how)"
        state.isBroken = !settingAside || state.onlyLooks
        if !state.isBroken {
          do throws(SystemError) { trouble += "; it is now \(try place.setAside())" } catch {
            trouble += ", and \(error)"
          }
        }
      } catch {
        trouble = "\(error)"
      }
      warn("\(loss): \(trouble)")
      return .unreadable
    }
  }

  private func content(_ bytes: [UInt8], _ state: inout State) throws(StateFileError) -> Content {
    do {
      let value = try JSONValue(text: bytes)
      let header = try value.decoded(as: Header.self)
      if let version, header.version != version {
        guard let other = header.version else { throw Damage() }
        throw StateFileError.broken("has version \(other), not \(version)")
      }
      if let keys, case .object(let members) = value, !keys.isSuperset(of: members.keys) {
        throw Damage()
      }
      let content = try value.decoded(as: Content.self)
      guard let marks = state.marks else { return content }
      guard header.marks != nil || !needsMarks else { throw Damage() }
      state.marks = try marks.taking(header.marks)
      if state.marks != header.marks, !state.onlyLooks { state.unwritten = .content(content) }
      return content
    } catch let error as StateFileError {
      throw error
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      throw .broken("is damaged: \(context.debugDescription)")
    } catch {
      throw .broken("is damaged")
    }
  }

  // MARK: Writing

  /// Keeps the content. What the disk does not take now is written later.
  ///
  /// - Parameter content: nil: there is to be no file.
  package func write(_ content: Content?) throws(StateFileError) {
    state.withLock { state in
      if !state.onlyLooks { state.unwritten = content.map(Kept.content) ?? .nothing }
    }
    try flush()
  }

  /// Writes what the file does not say yet.
  package func flush() throws(StateFileError) {
    guard let place else { return }
    try state.withLock { state in
      Result { () throws(StateFileError) in try save(to: place, &state) }
    }.get()
  }

  private func save(to place: StateFile, _ state: inout State) throws(StateFileError) {
    guard let unwritten = state.unwritten else { return }
    if state.isBroken { warn(place.makeWay()) }
    state.isBroken = false
    do throws(StateFileError) {
      if case .content(let content) = unwritten {
        let object = KeptObject(
          content: content,
          header: Header(version: version, marks: state.marks)
        )
        guard let text = try? JSONEncoding.file(object) else {
          preconditionFailure("what is kept in \(place.path) can't be encoded")
        }
        try place.write(text)
      } else {
        try place.remove()
      }
      state.unwritten = nil
    } catch {
      if retry == nil { state.unwritten = nil }
      if let retry, !state.isRetryComing {
        state.isRetryComing = true
        retry.executor.perform(after: retry.pause) { [weak self] in self?.writeAgain() }
      }
      throw error
    }
  }

  /// Without a warning: its keeper gave it at the first try.
  private func writeAgain() {
    state.withLock { $0.isRetryComing = false }
    try? flush()
  }
}

/// When to write again what a disk did not take.
package struct WriteRetry: Sendable {
  package static let pause = Duration.seconds(10)

  fileprivate let executor: LoopExecutor
  fileprivate let pause: Duration

  /// - Parameters:
  ///   - executor: where the writing is done.
  ///   - pause: from a failure to the next try.
  package init(on executor: LoopExecutor, after pause: Duration = Self.pause) {
    self.executor = executor
    self.pause = pause
  }
}

private struct Damage: Error {}

/// What each kept file may have beside its content, in the same object.
private struct Header: Codable {
  var version: Int?
  var marks: BoxMarks?
}

private struct KeptObject<Content: Encodable>: Encodable {
  let content: Content
  let header: Header

  func encode(to encoder: any Encoder) throws {
    try content.encode(to: encoder)
    try header.encode(to: encoder)
  }
}
