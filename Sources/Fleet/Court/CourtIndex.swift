import JSON

/// The names of a broker's courts, as its retained message `ballmachine/courts` has them.
///
/// Only brokers that give subscribers with wildcards no retained messages have it: there a reader asks for each
/// court by its own topics.
package struct CourtIndex: Codable, Hashable, Sendable {
  package static let topic = "\(CourtTopic.root)/courts"
  /// Any client of the broker can invent names: no more are read.
  package static let mostCourts = 1_000
  /// The longest payload, in bytes: names of 32 characters, with quotation marks and a comma.
  private static let longest = mostCourts * 35 + 64

  /// Sorted, each once.
  package private(set) var courts: [String] = []

  package init() {}

  /// - Parameter payload: one that can't be read names no court.
  package init(payload: [UInt8]) {
    guard payload.count <= Self.longest,
      let value = try? JSONValue(text: payload, deepest: 4, most: 2 * Self.mostCourts),
      let index = try? value.decoded(as: Self.self)
    else { return }
    courts = Array(Set(index.courts.filter(FleetSettings.isCourt)).sorted().prefix(Self.mostCourts))
  }

  /// What the broker is to keep; empty: nothing.
  package var payload: [UInt8] {
    // Texts: they can't fail.
    courts.isEmpty ? [] : (try? JSONEncoding.line(self)) ?? []
  }

  package func contains(_ court: String) -> Bool { courts.contains(court) }

  /// - Returns: itself if it is full.
  package func adding(_ court: String) -> CourtIndex {
    guard !contains(court), courts.count < Self.mostCourts else { return self }
    var index = self
    index.courts = (courts + [court]).sorted()
    return index
  }

  package func removing(_ court: String) -> CourtIndex {
    var index = self
    index.courts.removeAll { $0 == court }
    return index
  }
}
