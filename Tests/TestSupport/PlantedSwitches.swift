import Foundation

/// A folder that stands for `/sys`, with rfkill switches as a test wants them.
package final class PlantedSwitches: Sendable {
  private let directory: TemporaryDirectory

  package init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true
    )
  }

  package var sysfs: String { directory.path }
  package var folder: String { sysfs + "/class/rfkill" }

  /// Plants a switch with these attributes.
  ///
  /// - Parameter device: where its link `device` leads; nil for none.
  package func plant(_ entry: String, _ attributes: [String: String], device: String? = nil) throws
  {
    let path = "\(folder)/\(entry)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in attributes { try write(text, to: "\(entry)/\(name)") }
    if let device {
      try FileManager.default.createSymbolicLink(
        atPath: path + "/device",
        withDestinationPath: device
      )
    }
  }

  package func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }
}
