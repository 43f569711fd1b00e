package import Host
import JSON

/// The machines of earlier good links, in the file `machine.json` of the state directory.
///
/// Nothing that is wrong with the file or its directory stops the bridge: it then knows no machine,
/// or the next run won't, and a warning says so.
package actor MachineMemory {
  package static let fileName = "machine.json"
  /// The number of the file's form. One with another number is not read.
  private static let version = 1

  private let executor = LoopExecutor()
  private let file: StateFile?
  /// The marks of this box, and those that the file has: a machine stands beside one box.
  private var marks: BoxMarks
  private let warn: @Sendable (String) -> Void
  private let now: @Sendable () -> WallTime
  /// At most one real machine and one simulated.
  private var entries: [Entry] = []
  private var hasComplained = false
  private var onlyLooks = false
  /// Whether the file lacks what is known: writing it is tried again.
  private var isUnkept = false
  private let retry: WriteRetry

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter warn: is told, in a sentence without a full stop, what a technician should know.
  package init(warn: @escaping @Sendable (String) -> Void) {
    do throws(StateDirectoryError) {
      self.init(in: try StateDirectory(), warn: warn)
    } catch {
      self.init(in: nil, warn: warn)
      warn("no machine will be remembered: \(error)")
    }
  }

  /// - Parameters:
  ///   - directory: nil remembers nothing.
  ///   - marks: of this box.
  ///   - now: the wall clock.
  ///   - pause: how long after a failure the file is written again.
  package init(
    in directory: StateDirectory?,
    marks: BoxMarks = BoxMarks(),
    warn: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> WallTime = { WallTime() },
    pause: Duration = WriteRetry.pause
  ) {
    retry = WriteRetry(on: executor, after: pause)
    file = directory.map { StateFile(Self.fileName, in: $0) }
    self.marks = marks
    self.warn = warn
    self.now = now
  }

  /// Changes no file from now on.
  package func onlyLook() { onlyLooks = true }

  // MARK: Recalling

  /// The machines that the file tells of.
  ///
  /// - Parameter onlyLooking: as ``onlyLook()``; a broken file stays where it is.
  package func recall(onlyLooking: Bool = false) -> [RememberedMachine] {
    if onlyLooking { onlyLook() }
    guard let file else { return [] }
    do throws(StateFileError) {
      guard let bytes = try file.read() else { return [] }
      let content = try Self.content(bytes)
      marks = try marks.taking(content.marks)
      isUnkept = marks != content.marks
      entries = content.machines
    } catch {
      switch error {
      case .broken(let how) where !onlyLooks: setAside(file, because: how)
      case .broken(let how): warn("no machine is remembered: \(file.path) \(how)")
      case .directory, .system: warn("no machine is remembered: \(error)")
      }
    }
    return entries.map(\.machine)
  }

  private func setAside(_ file: StateFile, because how: String) {
    let trouble = "no machine is remembered: \(file.path) \(how)"
    do throws(SystemError) {
      warn("\(trouble); it is now \(try file.setAside())")
    } catch {
      warn("\(trouble), and \(error)")
    }
  }

  private static func content(_ bytes: [UInt8]) throws(StateFileError) -> Content {
    do {
      let value = try JSONValue(text: bytes)
      let header = try value.decoded(as: Header.self)
      guard header.version == version else {
        throw StateFileError.broken("has version \(header.version), not \(version)")
      }
      let content = try value.decoded(as: Content.self)
      guard Set(content.machines.map(\.machine.isSimulated)).count == content.machines.count else {
        throw StateFileError.broken("lists too many machines")
      }
      return content
    } catch let error as StateFileError {
      throw error
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      throw .broken("is damaged: \(context.debugDescription)")
    } catch {
      throw .broken("is damaged")
    }
  }

  // MARK: Keeping

  /// Keeps a machine whose link has proved good, in place of the last one of its kind. Writes only
  /// what is new, or could not be written before.
  package func keep(_ machine: RememberedMachine?) {
    if let machine, !entries.contains(where: { $0.machine == machine }) {
      entries.removeAll { $0.machine.isSimulated == machine.isSimulated }
      entries.append(Entry(machine: machine, since: now()))
      isUnkept = true
    }
    save()
  }

  private func save() {
    guard isUnkept, !onlyLooks, let file else { return }
    let content = Content(version: Self.version, machines: entries, marks: marks)
    guard let text = try? JSONEncoding.file(content) else {
      preconditionFailure("a remembered machine can't be encoded")
    }
    do throws(StateFileError) {
      try file.write(text)
      isUnkept = false
    } catch {
      if !hasComplained { warn("the machine won't be remembered: \(error); it is tried again") }
      hasComplained = true
      retry.schedule { [weak self] in self?.assumeIsolated { $0.save() } }
    }
  }

  /// Keeps what the link proves good, until it has ended or the task is cancelled.
  package nonisolated func follow(_ link: BallMachineLink) async {
    for await status in await link.statuses() { await keep(status.proven) }
  }

  /// ``keep(_:)`` for a program that ends: a disk that does not answer within a second must not hold
  /// the machine's lock.
  package nonisolated func keepAtEnd(_ machine: RememberedMachine?) async {
    do { try await waiting(atMost: .seconds(1)) { await self.keep(machine) } } catch {
      warn("the machine may not be remembered: the disk of the state directory does not answer")
    }
  }

  /// Forgets all machines, and the file.
  package func forget() {
    entries = []
    isUnkept = false
    guard !onlyLooks else {
      return warn("the remembered machine was not removed: it is another bridge's")
    }
    do throws(StateFileError) { try file?.remove() } catch {
      warn("the remembered machine was not removed: \(error)")
    }
  }

  // MARK: The file's form

  private struct Header: Decodable {
    var version: Int
  }

  private struct Content: Codable {
    var version: Int
    var machines: [Entry]
    /// Nil: an earlier version has written it.
    var marks: BoxMarks?
  }

  /// A machine, and since when it has been the one.
  private struct Entry: Codable {
    var machine: RememberedMachine
    var since: WallTime

    private enum Key: CodingKey {
      case since
    }

    init(machine: RememberedMachine, since: WallTime) {
      self.machine = machine
      self.since = since
    }

    init(from decoder: any Decoder) throws {
      machine = try RememberedMachine(from: decoder)
      since = try decoder.container(keyedBy: Key.self).decode(WallTime.self, forKey: .since)
    }

    func encode(to encoder: any Encoder) throws {
      try machine.encode(to: encoder)
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(since, forKey: .since)
    }
  }
}
