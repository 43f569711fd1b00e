import Clocks
import ControlProtocol
package import Host
import StateFiles

/// The phones of this box: the code that is shown, the phones and cards that are valid, and the file
/// that outlives a restart. What it answers is in memory; the disk has a thread of its own.
package final class Pairing: Sendable {
  /// How much of the time that the file knows a crash may lose, while a phone is paired.
  private static let writeInterval: Duration = .seconds(600)

  private struct State {
    var phones: PairedPhones
    var code = PairingCode()
    var written: MonotonicInstant
  }

  private let state: Locked<State>
  private let path: String
  private let file: KeptFile<PairedPhones>
  private let now: @Sendable () -> PairingTime
  private let log: @Sendable (String) -> Void
  private let disk = LoopExecutor()

  /// - Parameters:
  ///   - file: is read; one that can't be used is kept aside.
  ///   - marks: of this box.
  ///   - log: takes a sentence for an operator.
  package init(
    file: StateFile,
    marks: BoxMarks = BoxMarks(),
    now: @escaping @Sendable () -> PairingTime = { PairingTime() },
    log: @escaping @Sendable (String) -> Void
  ) {
    path = file.path
    let kept = KeptFile<PairedPhones>(
      file,
      version: nil,
      marks: marks,
      loss: "no phone is paired",
      warn: log
    )
    self.file = kept
    self.now = now
    self.log = log
    let time = now()
    var phones = PairedPhones(at: time)
    if case .content(let known) = kept.read(settingAside: true) { phones = known }
    let byClock = phones.settle(at: time).byClock
    state = Locked(State(phones: phones, written: time.monotonic))
    report(endedByClock: byClock)
  }

  // MARK: For phones

  /// Pairs a phone that has the code, or a card's secret.
  ///
  /// - Parameter name: what an operator sees, see ``PhoneName``.
  package func pair(
    _ code: String,
    name: String,
    from address: ClientAddress
  ) throws(PairingRefusal) -> NewPhone {
    let result = change { state, now -> Result<NewPhone, PairingRefusal> in
      Result { () throws(PairingRefusal) in
        var card: Int?
        if let digits = PairingCode.digits(of: code) {
          try state.code.redeem(digits, from: address, at: now.monotonic)
        } else {
          card = state.phones.card(secret: code, at: now)?.id
          guard card != nil else { throw .unknownCard }
        }
        var generator = SystemRandomNumberGenerator()
        return state.phones.add(name: name, card: card, at: now, using: &generator)
      }
    }
    let phone = try result.get()
    save()
    return phone
  }

  /// The phone of a token, which counts as seen; nil: it is not paired.
  package func phone(token: String) -> PairedPhone? {
    change { state, now in state.phones.phone(token: token, at: now) }
  }

  package func isPaired(_ id: Int) -> Bool { change { state, _ in state.phones.has(id) } }

  /// Ends a phone that asks for it.
  package func forget(_ id: Int) {
    change { state, _ in _ = state.phones.revoke(id) }
    save()
  }

  // MARK: For operators

  /// A new code for one phone.
  func newCode() -> String {
    change { state, now in
      var generator = SystemRandomNumberGenerator()
      return state.code.renew(at: now.monotonic, using: &generator)
    }
  }

  /// - Returns: once it is on the disk.
  func newCard(days: Int) async throws(ControlError) -> NewCard {
    let card = change { state, now in
      var generator = SystemRandomNumberGenerator()
      return state.phones.addCard(days: days, at: now, using: &generator)
    }
    guard let card else {
      throw .refused(
        "tooManyCards",
        "there are \(PairedPhones.mostCards) cards: revoke one, see `ballmachine phones'"
      )
    }
    if let reason = await saved() {
      change { state, _ in _ = state.phones.revoke(card.card.id) }
      throw .refused("notWritten", "no card was made: \(reason)")
    }
    return card
  }

  func all() -> PairedPhones { change { state, _ in state.phones } }

  /// Ends a phone, a card with its phones, or, without a number, all of them and the code.
  ///
  /// - Returns: how many, once the disk has it.
  func revoke(_ id: Int?) async throws(ControlError) -> (phones: Int, cards: Int) {
    let count = change { state, _ in
      if id == nil { state.code.withdraw() }
      return state.phones.revoke(id)
    }
    if let id, count == (0, 0) {
      throw .refused("noSuchPhone", "there is no phone and no card \(id): see `ballmachine phones'")
    }
    if let reason = await saved() {
      throw .refused("notWritten", "revoked until this service restarts, no longer: \(reason)")
    }
    return count
  }

  // MARK: The file

  private func change<Result>(_ body: (inout State, PairingTime) -> Result) -> Result {
    let now = now()
    let (result, isDue, byClock) = state.withLock { state in
      let (hasEnded, byClock) = state.phones.settle(at: now)
      let isOld = state.written.duration(to: now.monotonic) >= Self.writeInterval
      let isDue = hasEnded || isOld && !state.phones.phones.isEmpty
      // One write is enough, however late the disk is.
      if isDue { state.written = now.monotonic }
      return (body(&state, now), isDue, byClock)
    }
    report(endedByClock: byClock)
    if isDue { save() }
    return result
  }

  private func report(endedByClock phones: Int) {
    guard phones > 0 else { return }
    log("the clock was set: \(counted(phones, "phone")) must be paired again")
  }

  /// Returns at once; what goes wrong is logged.
  private func save() { disk.perform { [self] in _ = write() } }

  /// - Returns: why it is not on the disk.
  private func saved() async -> String? {
    await withCheckedContinuation { done in
      disk.perform { [self] in done.resume(returning: write()) }
    }
  }

  private func write() -> String? {
    do throws(StateFileError) {
      try file.write(state.withLock(\.phones))
      return nil
    } catch {
      log("\(path): not written, so a restart brings back what was before: \(error)")
      return "\(error)"
    }
  }
}

extension PairedPhones {
  /// The file of the phones; only its owner may read it.
  package static func file(in directory: StateDirectory) -> StateFile {
    StateFile("phones.json", in: directory, longest: 1 << 16, mode: 0o600)
  }
}
