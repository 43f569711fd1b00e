/// A version of BlueZ that is known to end by itself in what a link needs, from public reports.
///
/// Versions whose known defects lie in what this project does not use (audio, input devices, acquired
/// characteristics, duplicate data, policies) are not in it.
package struct BlueZDefect: Hashable, Sendable {
  /// The version, such as `5.87`.
  package var version: String
  /// The first version without it; nil: none had been released when this was written.
  package var mendedIn: String?
  /// Where it is told.
  package var sources: [String]

  /// What a version does, without its name.
  package var text: String { "is known to end by itself (\(sources.joined(separator: ", ")))" }

  /// What to do about it. A distribution may have mended the version that it ships.
  package var remedy: String {
    "install \(mendedIn.map { "bluez \($0) or newer" } ?? "a bluez newer or older than \(version)")"
      + ", unless your distribution has mended it"
  }

  package static let known: [BlueZDefect] = [
    // Both issues are mended in the sources that follow 5.87.
    BlueZDefect(version: "5.87", mendedIn: nil, sources: ["bluez issue 2282", "bluez issue 2221"])
  ]

  /// What to do where bluetoothd has ended by itself.
  ///
  /// - Parameter version: that of bluetoothd; nil if it isn't known.
  package static func advice(afterEndOf version: String?) -> String {
    of(version).map { "this version \($0.text): \($0.remedy)" }
      ?? "look for the cause in `journalctl -u bluetooth`"
  }

  package static func of(_ version: String?) -> BlueZDefect? {
    known.first { $0.version == version }
  }
}

extension ObjectTree {
  /// The version of bluetoothd, such as `5.66`; nil where main.conf sets another identity, or without an
  /// adapter.
  package var daemonVersion: String? { adaptersInOrder.lazy.compactMap(\.daemonVersion).first }
}
