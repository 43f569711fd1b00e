import Clocks
import JSON

/// Who is the camera: the configured one, or a phone in its place.
///
/// A phone stays the camera until it says that it has ended, a person chooses the configured one, or
/// this program ends: its silence is silence. While it is the camera, the configured one rests.
struct CameraChoice: Hashable {
  /// A phone that was not heard for so long may be replaced by another; so long without a usable
  /// frame is silence.
  static let silence = Duration.seconds(3)

  /// A supplier that is the camera, or would be if no phone were.
  struct Turn: Hashable {
    let supplier: FrameSupplier
    /// Nil: it has gone.
    var connection: Int?
    /// When it last sent anything.
    var heard: MonotonicInstant
    /// When the last frame came that could be used.
    var lastFrame: MonotonicInstant?
    /// Why no frame comes, as it says.
    var trouble: SupplierWord?
    /// By how much its last frame was late.
    var lateness: Duration?
  }

  enum Event: Hashable {
    case hello(FrameSupplier)
    /// A frame that can be used.
    case frame
    /// A frame that came too late; nil: how late isn't known.
    case lateFrame(by: Duration?)
    case trouble(SupplierWord)
    case end
    /// The connection has ended.
    case gone
  }

  enum Action: Hashable {
    case accept(Int)
    /// Tell it why, and end the connection.
    case close(Int, SupplierWord)
    /// A supplier is the camera from now on.
    case begin
    /// The configured camera is the camera again.
    case resume
  }

  /// What hands the configured camera's frames over; nil: this program opens the camera by itself.
  let configured: FrameSupplier.Kind?
  private(set) var phone: Turn?
  /// The turn of what hands the configured camera's frames over.
  private(set) var service: Turn?

  init(configured: FrameSupplier.Kind?) { self.configured = configured }

  /// The supplier that is the camera.
  var current: Turn? { phone ?? service }

  /// Whether the camera is one whose frames are handed over.
  var isHandedOver: Bool { phone != nil || configured != nil }

  mutating func receive(_ event: Event, from connection: Int, at now: MonotonicInstant) -> [Action]
  {
    switch event {
    case .hello(let supplier):
      return supplier.kind == .phone
        ? begin(phone: supplier, connection, at: now) : begin(supplier, connection, at: now)
    case .frame:
      change(connection, at: now) { ($0.lastFrame, $0.trouble, $0.lateness) = (now, nil, nil) }
    case .lateFrame(let lateness):
      change(connection, at: now) { $0.lateness = lateness }
    case .trouble(let word):
      change(connection, at: now) { $0.trouble = word }
    case .end:
      if phone?.connection == connection {
        phone = nil
        return [.close(connection, .ended), .resume]
      }
      if service?.connection == connection { service = nil }
      return [.close(connection, .ended)]
    case .gone:
      // A phone may come back: it stays the camera.
      if phone?.connection == connection { phone?.connection = nil }
      if service?.connection == connection { service = nil }
    }
    return []
  }

  /// A person chooses the configured camera.
  mutating func useConfigured() -> [Action] {
    guard let turn = phone else { return [] }
    phone = nil
    return close(turn, .ended) + [.resume]
  }

  private mutating func begin(
    phone supplier: FrameSupplier,
    _ connection: Int,
    at now: MonotonicInstant
  ) -> [Action] {
    var actions: [Action] = []
    if let turn = phone {
      let isSame = turn.supplier.id == supplier.id
      guard isSame || turn.heard.duration(to: now) >= Self.silence else {
        return [.close(connection, .isCamera(turn.supplier.name))]
      }
      actions += close(turn, isSame ? .reconnected : .isCameraNow(supplier.name))
    }
    if let turn = service {
      service = nil
      actions += close(turn, .rests(for: supplier.name))
    }
    phone = Turn(supplier: supplier, connection: connection, heard: now)
    return actions + [.accept(connection), .begin]
  }

  private mutating func begin(
    _ supplier: FrameSupplier,
    _ connection: Int,
    at now: MonotonicInstant
  ) -> [Action] {
    guard supplier.kind == configured else { return [.close(connection, .notConfigured)] }
    if let phone { return [.close(connection, .rests(for: phone.supplier.name))] }
    var actions: [Action] = []
    if let turn = service {
      guard turn.heard.duration(to: now) >= Self.silence else {
        return [.close(connection, .isCamera(turn.supplier.name))]
      }
      actions = close(turn, .isCameraNow(supplier.name))
    }
    service = Turn(supplier: supplier, connection: connection, heard: now)
    return actions + [.accept(connection), .begin]
  }

  private func close(_ turn: Turn, _ word: SupplierWord) -> [Action] {
    turn.connection.map { [.close($0, word)] } ?? []
  }

  private mutating func change(
    _ connection: Int,
    at now: MonotonicInstant,
    _ body: (inout Turn) -> Void
  ) {
    func update(_ turn: inout Turn?) {
      guard turn?.connection == connection, var changed = turn else { return }
      changed.heard = now
      body(&changed)
      turn = changed
    }
    update(&phone)
    update(&service)
  }

  /// Why there are no frames of the camera; nil while they come, and of a camera that this program
  /// opens by itself.
  func silence(at now: MonotonicInstant) -> SupplierWord? {
    guard let turn = current else {
      guard let configured, let unit = configured.unit else { return nil }
      return SupplierWord(
        "not-handed-over",
        "\(configured.subject) is read by \(unit), which does not run"
      )
    }
    guard let cause = cause(of: turn, at: now) else { return nil }
    let isPhone = turn.supplier.kind == .phone
    let code = isPhone ? "phone-silent" : turn.trouble?.code ?? "stream-failed"
    return SupplierWord(code, "\(turn.supplier.name): \(cause)")
  }

  private func cause(of turn: Turn, at now: MonotonicInstant) -> String? {
    if let trouble = turn.trouble { return trouble.reason }
    guard let lastFrame = turn.lastFrame else {
      return turn.connection == nil ? "it is not connected" : "it has sent no frame yet"
    }
    guard lastFrame.duration(to: now) >= Self.silence else { return nil }
    if turn.connection == nil { return "it is not connected any more" }
    if turn.heard > lastFrame {
      let lateness = turn.lateness.map { "\(($0 / .seconds(1)).rounded(places: 1)) s" }
      return "its pictures come \(lateness ?? "too") late"
    }
    return "it has sent no frame for 3 s"
  }
}
