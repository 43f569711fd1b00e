import Configuration
import Host
package import Positions
package import Programs

/// What a tracker's numbers mean.
package struct FrameOptions {
  package var unit: CourtFrame.Unit?
  package var origin: CourtFrame.Origin?
  package var axes: CourtFrame.Axes?
  package var scale: CourtFrame.Scale?

  package init(_ frame: CourtFrame? = nil) {
    (unit, origin, axes, scale) = (frame?.unit, frame?.origin, frame?.axes, frame?.scale)
  }

  package static let options: [Option<FrameOptions>] = [
    .value(
      "units",
      .choice("UNIT"),
      \.unit,
      "Positions are in metres (default), feet, inches, centimetres or millimetres"
    ),
    .value(
      "origin",
      ValueKind("PLACE", .origin),
      \.origin,
      """
      Where the positions' 0,0 is: corner (the net's left one, default), centre (of the net), the whole \
      doubles court's far-left, far-right, near-left or near-right corner, as the player's camera sees \
      them, or X,Y in metres of the court
      """
    ),
    .value(
      "axes",
      ValueKind("AXES", .axes),
      \.axes,
      """
      Which of their axes runs to the right, and which from the net to the baseline: x,y (default), \
      y,x, x,-y, -x,-y and so on; a minus: against it
      """
    ),
    .value(
      "scale",
      ValueKind("FACTOR", .scale),
      \.scale,
      "Multiply them by this first, or x and y by two: 8.23,11.885 for parts of the half"
    ),
  ]

  /// Options override the given frame, the configuration's or the court's own.
  package func frame(_ frame: CourtFrame = .court) -> CourtFrame {
    var frame = frame
    frame.unit = unit ?? frame.unit
    frame.origin = origin ?? frame.origin
    frame.axes = axes ?? frame.axes
    frame.scale = scale ?? frame.scale
    return frame
  }
}

extension CourtFrame {
  /// As options of a command line; empty for the court's own.
  package var options: String {
    func option(_ name: String, _ value: String) -> String {
      "--\(name)\(value.hasPrefix("-") ? "=" : " ")\(value)"
    }
    var words: [String] = []
    if unit != .metres { words.append(option("units", unit.rawValue)) }
    if origin != .corner { words.append(option("origin", origin.text)) }
    if axes != .asTheCourts { words.append(option("axes", axes.text)) }
    if scale != .one { words.append(option("scale", scale.text)) }
    return words.joined(separator: " ")
  }
}

/// How to read a recorded file: what its numbers mean, and which person to follow.
package struct TrackOptions {
  package var frame = FrameOptions()
  package var time: TrackTime?
  package var player: String?

  package init() {}

  package static let options: [Option<TrackOptions>] =
    FrameOptions.options.within(\.frame) + [
      .value(
        "time",
        .trackTime,
        \.time,
        "A file's times are seconds (default), ms, or frames@30 for pictures at 30 a second"
      ),
      .value(
        "player",
        .text("ID"),
        \.player,
        "Follow the person with this id (default: the first one seen, until missing for 1 s)"
      ),
    ]
}

extension TrackOptions {
  /// As options of a command line; empty for none.
  package var text: String {
    var words = [frame.frame().options]
    if let time { words.append("--time \(time.text)") }
    if let player { words.append("--player \(player.inShell)") }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension ValueKind where Value == TrackTime {
  package static var trackTime: ValueKind {
    ValueKind("TIME") { (text) throws(UsageError) in
      guard let time = TrackTime(text: text) else {
        throw UsageError("is not seconds, ms or frames@N, N pictures a second from 1 to 1000")
      }
      return time
    }
  }
}
