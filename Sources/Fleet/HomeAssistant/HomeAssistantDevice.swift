import ControlProtocol
import JSON

/// A court as a device of Home Assistant, by its MQTT discovery.
///
/// It has no switch, and nothing that arms: one button stops. Source: Home Assistant 2024.12 and
/// later, https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
package struct HomeAssistantDevice: Hashable, Sendable {
  /// Home Assistant publishes its start here. The device is then published again.
  package static func birthTopic(prefix: String) -> String { "\(prefix)/status" }

  /// What Home Assistant says there.
  package static let birth = Array("online".utf8)

  private let court: String
  private let name: String
  private let version: String
  private let prefix: String
  private let hasPlayer: Bool

  /// - Parameters:
  ///   - court: as in topics.
  ///   - name: for people.
  ///   - version: of this program.
  ///   - prefix: of Home Assistant's topics.
  ///   - player: whether the player's position is published.
  package init(
    court: String,
    name: String,
    version: String,
    prefix: String = "homeassistant",
    player: Bool = false
  ) {
    self.court = court
    self.name = name
    self.version = version
    self.prefix = prefix
    hasPlayer = player
  }

  /// Kept by the broker. An empty payload removes the device.
  package var topic: String { "\(prefix)/device/ballmachine/\(court)/config" }

  /// What describes the device.
  package var payload: [UInt8] {
    let payload = Payload(
      device: Payload.Device(
        identifiers: [id],
        name: name,
        manufacturer: "ballmachine",
        model: "Ball machine bridge",
        swVersion: version
      ),
      origin: Payload.Origin(name: "ballmachine-mqtt", swVersion: version),
      availabilityTopic: path(.availability),
      components: components
    )
    // Texts and whole numbers: they can't fail.
    return (try? JSONEncoding.line(payload)) ?? []
  }

  private var id: String { "ballmachine_\(court)" }

  private func path(_ topic: CourtTopic) -> String { topic.path(of: court) }

  // MARK: Components

  private var components: [String: Component] {
    var state = sensor("State", .state, .oneOf("state", Self.states))
    (state.deviceClass, state.options) = ("enum", Self.states)
    state.jsonAttributesTopic = path(.state)

    var reason = sensor("Reason", .state, .text("reason"))
    reason.icon = "mdi:information-outline"

    // It falls to 0 when the machine is armed, which this class takes for a new count.
    var balls = sensor("Balls", .balls, .text("session"))
    (balls.stateClass, balls.unitOfMeasurement) = ("total_increasing", "balls")
    balls.icon = "mdi:tennis-ball"

    var link = sensor("Link", .link, .text("state"))
    link.entityCategory = "diagnostic"

    var signal = sensor("Signal", .link, .text("rssi"))
    (signal.deviceClass, signal.stateClass) = ("signal_strength", "measurement")
    (signal.unitOfMeasurement, signal.entityCategory) = ("dBm", "diagnostic")

    var drill = sensor("Drill", .drill, .text("drill", else: "aim"))
    drill.icon = "mdi:clipboard-list-outline"

    var version = sensor("Version", .version, .text("version"))
    version.entityCategory = "diagnostic"

    var problem = sensor("Problem", .problem, .isTrue("problems"))
    (problem.platform, problem.deviceClass) = ("binary_sensor", "problem")
    problem.jsonAttributesTopic = path(.problem)

    var player = sensor("Player", .player, .isTrue("present"))
    (player.platform, player.deviceClass) = ("binary_sensor", "occupancy")

    var stop = Component(platform: "button", name: "Stop")
    (stop.commandTopic, stop.payloadPress, stop.retain) = (path(.stop), "stop", false)
    stop.icon = "mdi:stop-circle"

    var components = [
      "state": state, "reason": reason, "balls": balls, "link": link, "signal": signal,
      "drill": drill, "version": version, "problem": problem, "player": player, "stop": stop,
    ]
    for key in components.keys {
      components[key]?.uniqueID = "\(id)_\(key)"
      // The device's availability is theirs, too; a QoS of the device is not.
      components[key]?.qos = 1
    }
    // A platform alone removes a component that was there before.
    if !hasPlayer { components["player"] = Component(platform: player.platform) }
    return components
  }

  /// Of safety, and that there is no service.
  private static let states = SafetyRecord.states + [CourtStateRecord.noService]

  private func sensor(_ name: String, _ topic: CourtTopic, _ template: Template) -> Component {
    var sensor = Component(platform: "sensor", name: name)
    (sensor.stateTopic, sensor.valueTemplate) = (path(topic), template.text)
    return sensor
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

/// Members that are nil are left out.
private struct Component: Encodable {
  var platform: String
  var name: String?
  var uniqueID: String?
  var stateTopic: String?
  var valueTemplate: String?
  var jsonAttributesTopic: String?
  var deviceClass: String?
  var stateClass: String?
  var unitOfMeasurement: String?
  var options: [String]?
  var entityCategory: String?
  var icon: String?
  var commandTopic: String?
  var payloadPress: String?
  var retain: Bool?
  var qos: Int?

  private enum CodingKeys: String, CodingKey {
    case platform, name, options, icon, retain, qos
    case uniqueID = "unique_id"
    case stateTopic = "state_topic"
    case valueTemplate = "value_template"
    case jsonAttributesTopic = "json_attributes_topic"
    case deviceClass = "device_class"
    case stateClass = "state_class"
    case unitOfMeasurement = "unit_of_measurement"
    case entityCategory = "entity_category"
    case commandTopic = "command_topic"
    case payloadPress = "payload_press"
  }
}

private struct Payload: Encodable {
  struct Device: Encodable {
    var identifiers: [String]
    var name: String
    var manufacturer: String
    var model: String
    var swVersion: String

    private enum CodingKeys: String, CodingKey {
      case identifiers, name, manufacturer, model
      case swVersion = "sw_version"
    }
  }

  struct Origin: Encodable {
    var name: String
    var swVersion: String

    private enum CodingKeys: String, CodingKey {
      case name
      case swVersion = "sw_version"
    }
  }

  var device: Device
  var origin: Origin
  var availabilityTopic: String
  var components: [String: Component]

  private enum CodingKeys: String, CodingKey {
    case device, origin, components
    case availabilityTopic = "availability_topic"
  }
}
