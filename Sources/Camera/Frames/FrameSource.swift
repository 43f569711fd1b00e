package import CourtMapping
package import Host

/// A camera, a file or a stream that delivers frames.
///
/// Start it, have a `LoopExecutor` watch its descriptor, and take the newest frame each time it is
/// readable. After an error, or once it has ended, drop the watch and then the source: its descriptor
/// may stay readable. Silence is no error: a camera that hangs just delivers nothing.
package protocol FrameSource: AnyObject {
  /// The path of the device or the file, an address, or a program's name.
  var path: String { get }
  /// Readable when ``takeNewest()`` has something to do.
  var descriptor: FileDescriptor { get }
  var counts: FrameCounts { get }
  /// Other sizes that it could deliver; empty if it has no choice.
  var offered: [PictureSize] { get }
  /// Whether no frame will come any more: the file has ended.
  var hasEnded: Bool { get }
  /// How long it may deliver nothing before that is a failure.
  var patience: Duration { get }
  /// Why no frame comes, if it knows.
  var trouble: CameraProblem? { get }
  /// Whether another one can take its place after a failure, which otherwise is the end.
  var canBeReopened: Bool { get }
  /// Whether its frames have times of their own, which the clock says nothing about: those of a film that
  /// is read as fast as it can be worked on.
  var hasOwnTimes: Bool { get }

  func start() throws(CameraProblem)

  /// The newest frame that waits, unless it is too old, damaged, or not one that the rate asks for.
  /// Never waits.
  func takeNewest() throws(CameraProblem) -> Frame?
}

extension FrameSource {
  package var offered: [PictureSize] { [] }
  package var patience: Duration { .seconds(3) }
  package var trouble: CameraProblem? { nil }
  package var canBeReopened: Bool { true }
  package var hasOwnTimes: Bool { false }
}

/// A source that streams. The watch goes first: the source's descriptor may stay readable.
struct WatchedSource {
  /// nil while no frames are taken.
  var watch: FileWatch?
  let source: any FrameSource
}

/// What became of a source's frames.
package struct FrameCounts: Codable, Hashable, Sendable {
  /// Frames in which the player was searched.
  package var taken = 0
  /// Frames that a newer one replaced, or that the rate did not ask for.
  package var passedOver = 0
  /// Frames that the driver called damaged, or that the end of a file cut off.
  package var damaged = 0
  /// Frames that came too late.
  package var old = 0
  /// Frames that never came: they are missing in the driver's numbers.
  package var lost = 0

  /// Frames that had faults which cost no pixel: stray bytes, a second beginning, a missing end.
  package var forgiven = 0

  package init() {}

  static func + (one: FrameCounts, other: FrameCounts) -> FrameCounts {
    var sum = one
    sum.taken += other.taken
    sum.passedOver += other.passedOver
    sum.damaged += other.damaged
    sum.old += other.old
    sum.lost += other.lost
    sum.forgiven += other.forgiven
    return sum
  }
}
