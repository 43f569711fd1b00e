import Foundation
import JSON

/// What Home Assistant takes as a device, as facts.
///
/// Source: Home Assistant 2026.11, `components/mqtt/schemas.py`, `sensor.py`, `binary_sensor.py`,
/// `button.py`, `image.py` and `discovery.py`, in our own words, as far as it matters to us. Home Assistant
/// ignores a component's key that it doesn't know; here it is an error.
enum HomeAssistantRules {
  private static let deviceKeys: Set = [
    "identifiers", "connections", "name", "manufacturer", "model", "model_id", "hw_version",
    "serial_number", "sw_version", "via_device", "suggested_area", "configuration_url",
  ]
  private static let originKeys: Set = ["name", "sw_version", "support_url"]
  /// `~`, a beginning of topics, may be in a component alone.
  private static let payloadKeys: Set = [
    "device", "origin", "components", "availability", "availability_mode", "availability_topic",
    "availability_template", "payload_available", "payload_not_available", "state_topic",
    "command_topic", "qos", "encoding",
  ]
  private static let entityKeys: Set = [
    "platform", "unique_id", "name", "object_id", "icon", "entity_category", "entity_picture",
    "enabled_by_default", "json_attributes_topic", "json_attributes_template", "qos", "encoding",
    "availability", "availability_mode", "availability_topic", "availability_template",
    "payload_available", "payload_not_available",
  ]
  private static let platformKeys: [String: Set<String>] = [
    "sensor": [
      "state_topic", "value_template", "device_class", "state_class", "unit_of_measurement",
      "options", "expire_after", "force_update", "suggested_display_precision",
      "last_reset_value_template",
    ],
    "binary_sensor": [
      "state_topic", "value_template", "device_class", "payload_on", "payload_off", "expire_after",
      "force_update", "off_delay",
    ],
    "button": ["command_topic", "command_template", "payload_press", "retain", "device_class"],
    "image": ["image_topic", "content_type", "image_encoding", "url_topic", "url_template"],
  ]
  private static let neededKeys = [
    "sensor": "state_topic", "binary_sensor": "state_topic", "button": "command_topic",
    "image": "image_topic",
  ]
  /// Those that a court could use, with their units and state classes. A class without units has
  /// words for states.
  private static let sensorClasses: [String: (units: Set<String>, states: Set<String>)] = [
    "enum": ([], []),
    "signal_strength": (["dB", "dBm"], ["measurement"]),
    "duration": (["d", "h", "min", "s", "ms"], ["measurement", "total", "total_increasing"]),
    "distance": (["km", "m", "cm", "mm"], ["measurement", "total", "total_increasing"]),
    "timestamp": ([], []),
  ]
  private static let binaryClasses: Set = [
    "connectivity", "motion", "occupancy", "presence", "problem", "running", "safety",
  ]
  private static let stateClasses: Set = ["measurement", "total", "total_increasing"]
  private static let categories: Set = ["diagnostic"]

  /// What is wrong with a payload.
  static func errors(_ payload: JSONValue) -> [String] {
    guard case .object(let members) = payload else { return ["no object"] }
    var errors = unknown(members, payloadKeys, "payload")
    if case .object(let device)? = members["device"] {
      errors += unknown(device, deviceKeys, "device")
      if device["identifiers"] == nil { errors.append("device: no identifiers") }
      if let url = device["configuration_url"], !isPage(url.string ?? "") {
        errors.append("device: configuration_url is no URL")
      }
    } else {
      errors.append("no device")
    }
    if case .object(let origin)? = members["origin"] {
      errors += unknown(origin, originKeys, "origin")
      if origin["name"]?.string == nil { errors.append("origin: no name") }
    } else {
      errors.append("no origin")
    }
    guard case .object(let components)? = members["components"] else {
      return errors + ["no components"]
    }
    errors += topics(members, "payload")
    var ids: Set<String> = []
    for (key, component) in components.sorted(by: { $0.key < $1.key }) {
      guard case .object(let members) = component else {
        errors.append("\(key): no object")
        continue
      }
      // A platform alone removes the component.
      guard members.keys.contains(where: { $0 != "platform" }) || members["platform"] == nil else {
        continue
      }
      errors += self.errors(ofComponent: members, key)
      if let id = members["unique_id"]?.string, !ids.insert(id).inserted {
        errors.append("\(key): its unique_id is another's, too")
      }
    }
    return errors
  }

  private static func errors(
    ofComponent members: [String: JSONValue],
    _ key: String
  ) -> [String] {
    guard let platform = members["platform"]?.string, let own = platformKeys[platform] else {
      return ["\(key): its platform is none of ours"]
    }
    var errors = unknown(members, entityKeys.union(own).union(["~"]), key) + topics(members, key)
    if members["unique_id"]?.string == nil { errors.append("\(key): no unique_id") }
    if let needed = neededKeys[platform], members[needed] == nil {
      errors.append("\(key): no \(needed)")
    }
    if let category = members["entity_category"]?.string, !categories.contains(category) {
      errors.append("\(key): its category is not for \(platform)")
    }
    if let icon = members["icon"]?.string, !icon.hasPrefix("mdi:") {
      errors.append("\(key): its icon has no prefix")
    }
    let deviceClass = members["device_class"]?.string
    if platform == "binary_sensor", let deviceClass, !binaryClasses.contains(deviceClass) {
      errors.append("\(key): no such device_class")
    }
    if platform == "sensor" { errors += self.errors(ofSensor: members, deviceClass, key) }
    return errors
  }

  private static func errors(
    ofSensor members: [String: JSONValue],
    _ deviceClass: String?,
    _ key: String
  ) -> [String] {
    var errors: [String] = []
    let (unit, state) = (members["unit_of_measurement"]?.string, members["state_class"]?.string)
    if let deviceClass {
      if let allowed = sensorClasses[deviceClass] {
        if !allowed.units.isEmpty || unit != nil, !allowed.units.contains(unit ?? "") {
          errors.append("\(key): no unit of its device_class")
        }
        if let state, !allowed.states.contains(state) {
          errors.append("\(key): no state_class of its device_class")
        }
      } else {
        errors.append("\(key): no such device_class")
      }
    }
    if let state, !stateClasses.contains(state) { errors.append("\(key): no such state_class") }
    if case .array(let options)? = members["options"] {
      if options.isEmpty { errors.append("\(key): no options") }
      if deviceClass != "enum" || unit != nil || state != nil {
        errors.append("\(key): options are for an enum alone")
      }
    } else if deviceClass == "enum" {
      errors.append("\(key): an enum without options")
    }
    return errors
  }

  /// One that its device registry takes, too: with a scheme and a host.
  private static func isPage(_ url: String) -> Bool {
    let wrong = #/[\s\x00-\x1f]/#
    guard url.firstMatch(of: wrong) == nil, let url = URL(string: url) else { return false }
    return ["http", "https"].contains(url.scheme) && !(url.host() ?? "").isEmpty
      && url.port.map { (0...65_535).contains($0) } ?? true
  }

  private static func unknown(
    _ members: [String: JSONValue],
    _ known: Set<String>,
    _ place: String
  ) -> [String] {
    members.keys.filter { !known.contains($0) }.sorted().map { "\(place): there is no \($0)" }
  }

  /// No topic has a wildcard: states of one court are not another's.
  private static func topics(_ members: [String: JSONValue], _ place: String) -> [String] {
    members.filter { $0.key.hasSuffix("_topic") }.keys.sorted().compactMap { key in
      guard let topic = members[key]?.string, !topic.isEmpty, topic.utf8.count <= 65_535,
        !topic.contains(where: { "+#\0".contains($0) })
      else { return "\(place): \(key) is no topic" }
      return nil
    }
  }
}
