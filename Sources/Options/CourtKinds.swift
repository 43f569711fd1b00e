import Configuration
package import CourtLogic
import CourtMapping
package import Positions
package import Programs

extension ValueKind where Value == Double {
  /// A coordinate on or beside the court.
  package static var coordinate: ValueKind {
    .number("METRES", in: -PlayerPosition.farthest...PlayerPosition.farthest)
  }
}

extension ValueKind where Value == Double {
  /// A coordinate in a picture.
  package static var pixels: ValueKind {
    .number("PIXELS", in: 0...Double(PictureSize.range.upperBound))
  }
}

extension ValueKind where Value == Zone {
  package static var zone: ValueKind {
    ValueKind("ZONE") { (text) throws(UsageError) in
      guard let zone = Zone(text) else {
        throw UsageError("is not a zone: write 0 to 15, or row-column such as 1-1, each 0 to 3")
      }
      return zone
    }
  }
}

extension ValueKind where Value == MachineCommand {
  /// A command, given as text.
  package static var command: ValueKind {
    ValueKind("COMMAND") { (text) throws(UsageError) in
      do { return try MachineCommand(text: text) } catch { throw UsageError("\(error)") }
    }
  }
}

extension ValueKind where Value == MachineCommand {
  /// A command alone, where a zone has an option of its own.
  package static var commandWithoutZone: ValueKind {
    ValueKind("COMMAND") { (text) throws(UsageError) in
      guard Zone(text) == nil else { throw UsageError("did you mean --zone \(text)?") }
      return try ValueKind.command.parse(text)
    }
  }
}

extension ValueKind where Value == Int {
  /// The value of a command's field, of whichever encoding.
  package static func field(_ field: MachineCommand.Field) -> ValueKind {
    .integer("N", in: field.widest)
  }
}

extension ValueKind where Value == PositionSource {
  package static var positions: ValueKind<PositionSource> {
    ValueKind("SOURCE") { (text) throws(UsageError) in
      guard !text.isEmpty, text != "unix:" else { throw UsageError("names no path") }
      guard !PositionSettings.isNetwork(text) else { throw UsageError(PositionSettings.noNetwork) }
      return PositionSource(option: text)
    }
  }
}
