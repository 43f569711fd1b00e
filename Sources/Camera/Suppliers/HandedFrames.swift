package import Clocks
import Glibc
package import Host
import JSON

/// The socket at which other programs of this box hand frames over: `frames.sock`.
///
/// Not to be shared: it belongs to the actor whose executor watches ``descriptor``.
package final class HandedFrames {
  package static let name = "frames.sock"
  /// Who may connect besides this program's user: the page and the services of cameras.
  package static let group = "ballmachine-frames"
  /// A phone that connects again may be there twice for a moment.
  private static let mostConnections = 8
  /// The reads of a connection in a turn, and the bytes of each.
  private static let reads = (count: 16, bytes: 65_536)
  /// What the set of files calls the listener; connections count from 1.
  private static let newcomers = 0

  private final class Connection {
    let descriptor: FileDescriptor
    var input = SupplierInput()
    var times = FrameTimes()
    var isAccepted = false

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }
  }

  /// What has become of the choice in a turn.
  enum Change: Hashable {
    /// A supplier is the camera from now on.
    case begun
    /// The configured camera is the camera again.
    case resumed
  }

  /// Readable when ``takeTurn()`` has something to do.
  var descriptor: FileDescriptor { files.descriptor }
  private(set) var choice: CameraChoice
  private(set) var counts = FrameCounts()

  private let listener: ListeningSocket
  private let files: FileSet
  private let clock: any MonotonicClock
  private var pace: FramePace
  private var connections: [Int: Connection] = [:]
  private var lastNumber = 0
  private var newest: (frame: SuppliedFrame, time: MonotonicInstant)?
  private var changes: [Change] = []
  private var buffer = [UInt8](repeating: 0, count: reads.bytes)
  private var sequence: UInt32 = 0

  /// - Parameters:
  ///   - configured: what hands the configured camera's frames over; nil: this program opens it.
  ///   - rate: frames a second that are worked on.
  package init(
    path: String,
    configured: FrameSupplier.Kind?,
    rate: Double,
    clock: any MonotonicClock
  ) throws(UnixSocketError) {
    do throws(SystemError) { files = try FileSet() } catch { throw .system(error) }
    listener = try ListeningSocket(path: path)
    ListeningSocket.open(path, to: Self.group)
    _ = files.add(listener.descriptor, as: Self.newcomers)
    choice = CameraChoice(configured: configured)
    // They come with a jitter: one that is a little early is not dropped.
    pace = FramePace(rate: rate * 1.5)
    self.clock = clock
  }

  /// Why there are no frames of the camera, see ``CameraChoice/silence(at:)``.
  var silence: SupplierWord? { choice.silence(at: clock.now) }

  /// Reads what has come.
  func takeTurn() -> [Change] {
    for (number, _) in files.ready(atMost: Self.mostConnections + 1) {
      if number == Self.newcomers { accept() } else { read(number) }
    }
    defer { changes = [] }
    return changes
  }

  /// A person chooses the configured camera.
  func useConfigured() -> [Change] {
    carryOut(choice.useConfigured())
    defer { changes = [] }
    return changes
  }

  private func accept() {
    // Those that find no room in the system wait for the next turn.
    _ = listener.acceptTurn { descriptor throws(SystemError) in
      if connections.count >= Self.mostConnections {
        // One that hasn't said what it is makes room.
        guard let silent = connections.filter({ !$0.value.isAccepted }).keys.min() else {
          return Self.send(["accepted": .boolean(false)], .tooMany, to: descriptor)
        }
        connections[silent] = nil
      }
      lastNumber += 1
      guard files.add(descriptor, as: lastNumber) else { return }
      connections[lastNumber] = Connection(descriptor)
    }
  }

  private func read(_ number: Int) {
    for _ in 0..<Self.reads.count {
      guard let connection = connections[number] else { return }
      let count = Glibc.read(connection.descriptor.number, &buffer, buffer.count)
      let code = errno
      let now = clock.now
      if count < 0, code == EAGAIN || code == EINTR {
        return connection.times.foundEmpty(at: now)
      }
      guard count > 0 else {
        connections[number] = nil
        return receive(.gone, from: number, at: now)
      }
      var arrival: MonotonicInstant?
      if case .fresh(let time) = connection.times.judge(nil, now: now, isEmpty: false) {
        arrival = time
      }
      let fault = buffer.withUnsafeBytes { bytes -> SupplierFault? in
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
        do throws(SupplierFault) {
          try connection.input.append(bytes, arrival: arrival) { take($0, from: number, at: now) }
          return nil
        } catch {
          return error
        }
      }
      if let fault {
        close(number, .badLine(fault.reason))
        receive(.gone, from: number, at: now)
      }
    }
  }

  private func take(_ item: SupplierInput.Item, from number: Int, at now: MonotonicInstant) {
    // What it sent before it was closed is not heard.
    guard connections[number] != nil else { return }
    switch item {
    case .hello(let supplier): receive(.hello(supplier), from: number, at: now)
    case .trouble(let word): receive(.trouble(word), from: number, at: now)
    case .end: receive(.end, from: number, at: now)
    case .frame(let frame, let time):
      let age = time.map { $0.duration(to: now) }
      guard let time, let age, age <= FrameTimes.oldest else {
        counts.old += 1
        return receive(.lateFrame(by: age), from: number, at: now)
      }
      receive(.frame, from: number, at: now)
      guard pace.takes(time) else {
        counts.passedOver += 1
        return
      }
      if newest != nil { counts.passedOver += 1 }
      newest = (frame, time)
    }
  }

  private func receive(
    _ event: CameraChoice.Event,
    from number: Int,
    at now: MonotonicInstant
  ) {
    carryOut(choice.receive(event, from: number, at: now))
  }

  private func carryOut(_ actions: [CameraChoice.Action]) {
    for action in actions {
      switch action {
      case .accept(let number):
        guard let connection = connections[number] else { continue }
        connection.isAccepted = true
        Self.send(["accepted": .boolean(true)], nil, to: connection.descriptor)
      case .close(let number, let word): close(number, word)
      case .begin:
        newest = nil
        changes.append(.begun)
      case .resume:
        newest = nil
        changes.append(.resumed)
      }
    }
  }

  private func close(_ number: Int, _ word: SupplierWord) {
    guard let connection = connections[number] else { return }
    let answer: [String: JSONValue] = connection.isAccepted ? [:] : ["accepted": .boolean(false)]
    Self.send(answer, word, to: connection.descriptor)
    connections[number] = nil
  }

  /// Never waits: a supplier that reads nothing misses it.
  private static func send(
    _ members: [String: JSONValue],
    _ word: SupplierWord?,
    to descriptor: FileDescriptor
  ) {
    var members = members
    if let word {
      members["code"] = .string(word.code)
      members["reason"] = .string(word.reason)
    }
    guard let line = SupplierLine.written(members) else { return }
    _ = Glibc.send(descriptor.number, line, line.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
  }

  /// The newest frame that came since the last call, and the view that it is of.
  func takeNewest() -> (frame: SuppliedFrame, time: MonotonicInstant)? {
    defer { newest = nil }
    if newest != nil { counts.taken += 1 }
    return newest
  }

  /// - Returns: the frame for what looks at it.
  func frame(of supplied: SuppliedFrame, taken time: MonotonicInstant) -> Frame {
    sequence &+= 1
    return Frame(copying: supplied.bytes, supplied.header.layout, time: time, sequence: sequence)
  }
}
