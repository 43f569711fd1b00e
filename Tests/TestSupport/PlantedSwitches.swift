import Foundation

/// A folder that stands for `/sys`, with rfkill switches as a test wants them.
package final class PlantedSwitches: Sendable {
  package let sysfs: String

  package init() throws {
    var template = Array("/tmp/ballmachine-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    sysfs = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: sysfs) }

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
