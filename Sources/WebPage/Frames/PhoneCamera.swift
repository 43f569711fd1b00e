import Host
import JSON

/// The phone that is the camera: its pictures go on to the camera's program, which decides whether it
/// may be that, and tells when they stop.
package actor PhoneCamera {
  /// How long that program may take to say whether a phone may be the camera.
  private static let patience = Duration.seconds(5)
  /// How much longer than the first time it is between two times that the bridge is asked to read the
  /// calibration: while balls may fly, it refuses.
  private static let pause = 5

  /// Why no picture comes, as a page may say it, in words for the box's operator.
  static let troubles = [
    "hidden": "its page is not in front, or its screen is off",
    "closed": "its page was closed",
    "noPicture": "its camera gives no picture: another program has it, or it was covered by a call",
  ]

  private nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let path: String
  private let settling: Duration
  private let reload: @Sendable () async -> Bool
  /// The phone that is the camera, and one that asks to be it.
  private var live: Turn?
  private var asking: Turn?
  private var lastTurn = 0
  private let standing = Locked(Standing())

  /// - Parameters:
  ///   - path: of the socket of the camera's program.
  ///   - settling: from a place's first picture until that program has found the place's calibration.
  ///   - reload: has the bridge read its calibration again; false: it didn't.
  package init(
    path: String,
    settling: Duration = .seconds(1),
    reload: @escaping @Sendable () async -> Bool
  ) {
    self.path = path
    self.settling = settling
    self.reload = reload
  }

  /// Why a phone's turn is none, or none any more; nil: it is the camera.
  nonisolated func refusal(of turn: Int, _ phone: Int) -> PhoneRefusal? {
    standing.withLock { standing in
      if let live = standing.live, live == (turn, phone) { return nil }
      return standing.ended.flatMap { $0.turn == turn ? $0.why : nil } ?? .notCamera
    }
  }

  /// Makes a phone the camera, in place of itself or of one that has been silent.
  ///
  /// - Parameters:
  ///   - key: names it for good, as the file of its calibration does.
  ///   - name: for people.
  /// - Returns: the number of its turn, which its pictures tell.
  func start(_ phone: Int, key: String, name: String) async throws(PhoneRefusal) -> Int {
    guard asking == nil else { throw .busy }
    lastTurn += 1
    let turn: Turn
    do { turn = Turn(lastTurn, phone, try FrameFeeder(path: path)) } catch {
      throw .unreachable(path, error)
    }
    asking = turn
    defer { asking = nil }
    let number = turn.number
    turn.watch = executor.watch(turn.feeder.descriptor.number) { [weak self] in
      self?.assumeIsolated { $0.serve(number) }
    }
    let answer = await withCheckedContinuation { continuation in
      turn.answer = continuation
      executor.perform(after: Self.patience) { [weak self] in
        self?.assumeIsolated { _ in turn.settle(.silent) }
      }
      send(Hello(id: key, name: name), of: turn)
    }
    if let refusal = answer ?? turn.end { throw refusal }
    setLive(turn, .replaced)
    return number
  }

  /// - Returns: false if it was dropped, because the one before is still on its way.
  func take(_ frame: PhoneFrame, of phone: Int) throws(PhoneRefusal) -> Bool {
    let turn = try turn(frame.turn, of: phone)
    let isTaken = turn.feeder.send(picture: frame.written)
    turn.watchWriting()
    if isTaken, turn.place != frame.place {
      turn.place = frame.place
      reloadBridge(turn.number, frame.place)
    }
    return isTaken
  }

  /// - Parameter code: one of ``troubles``; others say nothing.
  func trouble(_ code: String, in number: Int, of phone: Int) throws(PhoneRefusal) {
    let turn = try turn(number, of: phone)
    guard let reason = Self.troubles[code] else { return }
    send(Trouble(trouble: Trouble.Cause(code: code, reason: reason)), of: turn)
  }

  /// The phone is done, and the camera that the configuration names is the camera again.
  func end(_ number: Int, of phone: Int) throws(PhoneRefusal) {
    let turn = try turn(number, of: phone)
    send(End(), of: turn)
    setLive(nil, .notCamera)
  }

  private func turn(_ number: Int, of phone: Int) throws(PhoneRefusal) -> Turn {
    if let refusal = refusal(of: number, phone) { throw refusal }
    guard let live else { throw .notCamera }
    return live
  }

  /// - Parameter why: the turn before has ended.
  private func setLive(_ turn: Turn?, _ why: PhoneRefusal) {
    let before = live
    live = turn
    standing.withLock { standing in
      standing.live = turn.map { ($0.number, $0.phone) }
      if let before { standing.ended = (before.number, why) }
    }
  }

  private func send(_ message: some Encodable, of turn: Turn) {
    turn.feeder.send(line: FrameFeeder.line(message))
    turn.watchWriting()
  }

  // MARK: The camera's program

  private func serve(_ number: Int) {
    guard let turn = [live, asking].compactMap({ $0 }).first(where: { $0.number == number }) else {
      return
    }
    turn.feeder.flush()
    turn.watchWriting()
    let (lines, isOver) = turn.feeder.receive()
    for line in lines { receive(line, of: turn) }
    guard isOver else { return }
    turn.watch = nil
    let why = turn.end ?? .lost
    turn.end = why
    turn.settle(why)
    if turn === live { setLive(nil, why) }
  }

  private func receive(_ line: JSONValue, of turn: Turn) {
    if line["accepted"] == .boolean(true) { return turn.settle(nil) }
    let refusal = PhoneRefusal(
      code: line["code"]?.string ?? "refused",
      reason: line["reason"]?.string ?? "the camera's program has refused"
    )
    turn.end = refusal
    turn.settle(refusal)
  }

  /// The bridge refuses points that were found with another calibration than its own.
  private func reloadBridge(_ number: Int, _ place: String) {
    OneThread.task { [weak self, reload, settling] in
      var pause = settling
      while (try? await SystemClock().sleep(for: pause)) != nil,
        await self?.isAt(place, in: number) == true, await !reload()
      {
        pause = settling * Self.pause
      }
    }
  }

  private func isAt(_ place: String, in number: Int) -> Bool {
    live?.number == number && live?.place == place
  }
}

/// Whose pictures are taken.
private struct Standing {
  var live: (turn: Int, phone: Int)?
  /// Why the last turn has ended.
  var ended: (turn: Int, why: PhoneRefusal)?
}

/// One phone's time as the camera.
private final class Turn: @unchecked Sendable {
  // Invariant: only PhoneCamera touches it, on its executor.

  let number: Int
  let phone: Int
  let feeder: FrameFeeder
  var watch: FileWatch?
  /// Waits for the program's answer.
  var answer: CheckedContinuation<PhoneRefusal?, Never>?
  /// Why it ends, as the program has said before it closes.
  var end: PhoneRefusal?
  /// Where its last picture is from.
  var place: String?

  init(_ number: Int, _ phone: Int, _ feeder: FrameFeeder) {
    self.number = number
    self.phone = phone
    self.feeder = feeder
  }

  /// The answer has come; only the first one counts.
  func settle(_ refusal: PhoneRefusal?) {
    answer?.resume(returning: refusal)
    answer = nil
  }

  func watchWriting() { watch?.setWriting(feeder.isBehind) }
}

private struct Hello: Encodable {
  var source = "phone"
  var id: String
  var name: String
}

private struct Trouble: Encodable {
  struct Cause: Encodable {
    var code: String
    var reason: String
  }

  var trouble: Cause
}

private struct End: Encodable {
  var end = true
}
