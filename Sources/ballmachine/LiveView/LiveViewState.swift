import Bridge
import CourtLogic
import Host

/// All that ``LiveView`` shows, as of one moment.
struct LiveViewState: Equatable, Sendable {
  /// Whether real balls can fly.
  enum Mode: Equatable, Sendable {
    case simulated
    case real
  }

  /// How good a state is, which decides its colour.
  enum Tone: Equatable, Sendable {
    case good
    case waiting
    case bad
  }

  /// The link to the machine, in words.
  struct Link: Equatable, Sendable {
    /// `ready`, `connecting`, …
    var state: String
    var tone: Tone
    /// Why it isn't ready.
    var reason: String?
    /// Name and address, once known.
    var machine: String?
    /// More for a technician, the most important first; as many as fit.
    var details: [String] = []
  }

  /// Whether balls may fly, in words, and why or why not.
  struct Arming: Equatable, Sendable {
    var state: String
    var tone: Tone
  }

  /// Where the logic sees the player now.
  struct Player: Equatable, Sendable {
    /// The mean of the last second.
    var position: PlayerPosition
    /// How many positions the mean is made of.
    var sampleCount: Int
    /// `nil`: out of court.
    var zone: Zone?
  }

  /// The command that left last.
  struct Dispatch: Equatable, Sendable {
    var command: MachineCommand
    /// `nil`: the fallback, for a player out of court, or a command by hand.
    var zone: Zone?
    var isByHand = false
    /// `delivered`, `not sent: the link was lost`, …; `nil` while in flight.
    var outcome: String?
    var tone = Tone.waiting
    var latency: Duration?
    /// How long ago it was decided.
    var age: Duration
  }

  struct Counts: Equatable, Sendable {
    var delivered = 0
    var queued = 0
    var notSent = 0
    var unknown = 0
    var positions = 0
    /// Lines and positions that could not be used.
    var refused = 0
  }

  var mode: Mode
  /// Since the start.
  var elapsed: Duration
  /// When it ends by itself.
  var duration: Duration?
  /// How many times faster than real time.
  var speed = 1.0
  var court = Court()
  var link: Link
  /// `nil`: not shown, because the run arms by itself.
  var arming: Arming?
  /// The drill and its progress, in words; `nil` without a drill.
  var drill: String?
  /// The zone that the next ball is for, if that doesn't depend on the player.
  var target: Zone?
  /// `nil`: not seen within the last second.
  var player: Player?
  /// From one decision to the next.
  var interval = LogicManager.standardInterval
  /// Until the next decision is due; `nil` while none is.
  var nextBall: Duration?
  /// Why no ball comes: `disarmed`, `no position for 4 s`.
  var holding: String?
  var last: Dispatch?
  var counts = Counts()
  /// The latest warning.
  var notice: String?
  /// What the keyboard does.
  var keys = Keys.endsRun
  /// The last stop by a key.
  var stop: Stop?

  enum Keys: Equatable, Sendable {
    /// Ctrl-C ends the bridge itself.
    case endsRun
    /// Ctrl-C ends the view, where there is no keyboard for keys.
    case endsView
    /// A key stops the machine, another one ends the view.
    case stopsAndLeaves
  }

  /// What became of a stop, in words.
  struct Stop: Equatable, Sendable {
    var text: String
    var tone: Tone
  }
}

extension TextStyle {
  init(_ tone: LiveViewState.Tone) {
    self =
      switch tone {
      case .good: .green
      case .waiting: .yellow
      case .bad: .red
      }
  }
}
