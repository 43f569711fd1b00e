import ControlProtocol
import JSON

/// A court as a device of Home Assistant, by its MQTT discovery.
///
/// It has no switch, and nothing that arms: one button stops. Source: Home Assistant 2024.12 and
/// later, https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
package struct HomeAssistantDevice: Sendable {
  private let settings: FleetSettings
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
    let payload: [String: JSONValue] = [
      "device": .object([
        "identifiers": .array([.string(id)]),
        "name": .string(settings.displayName),
        "manufacturer": .string("ballmachine"),
        "model": .string("Ball machine bridge"),
        "sw_version": .string(version),
      ]),
      "origin": .object(["name": .string("ballmachine-mqtt"), "sw_version": .string(version)]),
      "availability_topic": .string(path(.availability)),
      "components": .object(components.mapValues(JSONValue.object)),
    ]
    // Texts and whole numbers: they can't fail.
    return (try? JSONEncoding.line(payload)) ?? []
  }

  private var court: String { settings.court ?? "" }

  private var id: String { "ballmachine_\(court)" }

  private func path(_ topic: CourtTopic) -> String { topic.path(of: court) }

  // MARK: Components

  private typealias Component = [String: JSONValue]

  private var components: [String: Component] {
    var components: [String: Component] = [
      "state": sensor(
        "State",
        .state,
        .oneOf("state", CourtStateRecord.states),
        ["device_class": "enum", "json_attributes_topic": path(.state)]
      ),
      "reason": sensor("Reason", .state, .text("reason"), ["icon": "mdi:information-outline"]),
      // It falls to 0 when the machine is armed, which this class takes for a new count.
      "balls": sensor(
        "Balls",
        .balls,
        .text("session"),
        [
          "state_class": "total_increasing", "unit_of_measurement": "balls",
          "icon": "mdi:tennis-ball",
        ]
      ),
      "byHand": sensor(
        "Balls by hand",
        .balls,
        .text("byHand"),
        [
          "state_class": "total_increasing", "unit_of_measurement": "balls",
          "icon": "mdi:hand-back-right",
        ]
      ),
      "link": sensor("Link", .link, .text("state"), ["entity_category": "diagnostic"]),
      "signal": sensor(
        "Signal",
        .link,
        .text("rssi"),
        [
          "device_class": "signal_strength", "state_class": "measurement",
          "unit_of_measurement": "dBm", "entity_category": "diagnostic",
        ]
      ),
      "drill": sensor(
        "Drill",
        .drill,
        .text("drill", else: "aim"),
        ["icon": "mdi:clipboard-list-outline"]
      ),
      "version": sensor(
        "Version",
        .version,
        .text("version"),
        ["entity_category": "diagnostic"]
      ),
      "problem": sensor(
        "Problem",
        .problem,
        .isTrue("problems"),
        [
          "platform": "binary_sensor", "device_class": "problem",
          "json_attributes_topic": path(.problem),
        ]
      ),
      "player": sensor(
        "Player",
        .player,
        .isTrue("present"),
        ["platform": "binary_sensor", "device_class": "occupancy"]
      ),
      "stop": [
        "platform": .string("button"), "name": .string("Stop"),
        "command_topic": .string(path(.stop)), "payload_press": .string("stop"),
        "retain": .boolean(false), "icon": .string("mdi:stop-circle"),
      ],
    ]
    components["state"]?["options"] = .array(CourtStateRecord.states.map(JSONValue.string))
    for key in components.keys {
      components[key]?["unique_id"] = .string("\(id)_\(key)")
      // The device's availability is theirs, too; a QoS of the device is not.
      components[key]?["qos"] = .integer(1)
    }
    // A platform alone removes a component that was there before.
    if !settings.player {
      components["player"] = components["player"]?.filter { $0.key == "platform" }
    }
    return components
  }

  private func sensor(
    _ name: String,
    _ topic: CourtTopic,
    _ template: Template,
    _ others: [String: String]
  ) -> Component {
    [
      "platform": "sensor", "name": name, "state_topic": path(topic),
      "value_template": template.text,
    ]
    .merging(others) { $1 }.mapValues(JSONValue.string)
  }
}

/// What Home Assistant makes of a payload. `None`, its word for unknown, where a member is missing
/// or the payload is no JSON.
private struct Template {
  let text: String

  private init(_ text: String) { self.text = text }

  private static func member(_ name: String) -> String { "(value_json | default({})).\(name)" }

  /// Home Assistant refuses a state of more than 255 characters.
  static func text(_ name: String, else other: String? = nil) -> Template {
    let alternative = other.map { "\(member($0)) | default('None')" } ?? "'None'"
    return Template("{{ (\(member(name)) | default(\(alternative)) | string)[:255] }}")
  }

  static func oneOf(_ name: String, _ words: [String]) -> Template {
    let list = words.map { "'\($0)'" }.joined(separator: ", ")
    return Template(
      "{% set word = \(member(name)) | default %}{{ word if word in [\(list)] else 'None' }}"
    )
  }

  /// Neither missing, false nor empty.
  static func isTrue(_ name: String) -> Template {
    Template("{{ 'ON' if \(member(name)) | default(false) else 'OFF' }}")
  }
}
