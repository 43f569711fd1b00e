import ControlProtocol
import JSON

/// A court as a device of Home Assistant, by its MQTT discovery.
///
/// It has no switch, and nothing that arms: one button stops, another one asks for a picture. Source: Home
/// Assistant 2024.12 and later, https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
package struct HomeAssistantDevice: Sendable {
  let settings: FleetSettings
  private let version: String

  /// - Parameter version: of this program.
  package init(_ settings: FleetSettings, version: String) {
    self.settings = settings
    self.version = version
  }

  /// Home Assistant publishes its start here. The device is then published again.
  package var birthTopic: String { "\(settings.prefix)/status" }

  /// What Home Assistant says there.
  package static let birth = Array("online".utf8)

  /// Kept by the broker. An empty payload removes the device.
  package var topic: String { "\(settings.prefix)/device/ballmachine/\(court)/config" }

  /// What describes the device.
  package var payload: [UInt8] {
    var device: [String: JSONValue] = [
      "identifiers": .array([.string(id)]),
      "name": .string(settings.displayName),
      "manufacturer": .string("ballmachine"),
      "model": .string("Ball machine bridge"),
      "sw_version": .string(version),
    ]
    device["configuration_url"] = settings.page.map(JSONValue.string)
    let payload: [String: JSONValue] = [
      "device": .object(device),
      "origin": .object(["name": .string("ballmachine-mqtt"), "sw_version": .string(version)]),
      "availability_topic": .string(path(.availability)),
      "components": .object(components.mapValues(JSONValue.object)),
    ]
    // Texts and whole numbers: they can't fail.
    return (try? JSONEncoding.line(payload)) ?? []
  }

  var court: String { settings.court ?? "" }

  var id: String { "ballmachine_\(court)" }

  func path(_ topic: CourtTopic) -> String { topic.path(of: court) }
}
