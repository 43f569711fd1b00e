import ControlProtocol
import JSON

/// What a court has in Home Assistant: sensors, and buttons that stop and that ask for a picture.
extension HomeAssistantDevice {
  typealias Component = [String: JSONValue]

  var components: [String: Component] {
    let optional: [(isThere: Bool, components: [String: Component])] = [
      (settings.player, player), (settings.session, session), (settings.picture, picture),
    ]
    var all = play.merging(box) { $1 }
    for (isThere, components) in optional {
      all.merge(isThere ? components : gone(components)) { $1 }
    }
    return all
  }

  /// A platform alone removes a component that was there before.
  private func gone(_ components: [String: Component]) -> [String: Component] {
    components.mapValues { component in component.filter { $0.key == "platform" } }
  }

  // MARK: Play

  private var play: [String: Component] {
    var state = sensor("state", "State", .state, .oneOf("state", CourtStateRecord.states), .enum)
    state["options"] = .array(CourtStateRecord.states.map(JSONValue.string))
    state["json_attributes_topic"] = .string(path(.state))
    return [
      "state": state,
      "reason": sensor(
        "reason",
        "Reason",
        .state,
        .text("reason", orIf: "state", "none"),
        .text("information-outline")
      ),
      // It falls to 0 when the machine is armed, which this class takes for a new count.
      "balls": sensor("balls", "Balls", .balls, .text("session"), .count("tennis-ball")),
      "byHand": sensor(
        "byHand",
        "Balls by hand",
        .balls,
        .text("byHand"),
        .count("hand-back-right")
      ),
      "drill": sensor(
        "drill",
        "Drill",
        .drill,
        .text("drill", orIf: "aim", "no drill"),
        .text("clipboard-list-outline")
      ),
      "progress": sensor("progress", "Progress", .drill, .progress, .text("progress-check")),
      "level": sensor(
        "level",
        "Level",
        .drill,
        .text("level", orIf: "aim", "no level"),
        .text("stairs")
      ),
      "aim": sensor("aim", "Aim", .drill, .text("aim"), .text("bullseye-arrow")),
      "stop": button("stop", "Stop", .stop, press: "stop", icon: "stop-circle"),
    ]
  }

  private var player: [String: Component] {
    ["player": binarySensor("player", "Player", .player, .isTrue("present"), "occupancy")]
  }

  /// What a coach reads of the session that ended last.
  private var session: [String: Component] {
    [
      "sessionTime": sensor(
        "sessionTime",
        "Last session",
        .session,
        .text("time"),
        ["device_class": "timestamp"]
      ),
      "sessionBalls": sensor(
        "sessionBalls",
        "Last session: balls",
        .session,
        .text("balls"),
        .figure("balls", icon: "tennis-ball")
      ),
      "sessionMinutes": sensor(
        "sessionMinutes",
        "Last session: time in play",
        .session,
        .minutes("live"),
        .figure("min", "duration")
      ),
      "sessionDistance": sensor(
        "sessionDistance",
        "Last session: distance",
        .session,
        .text("distance"),
        .figure("m", "distance")
      ),
      "sessionEnd": sensor(
        "sessionEnd",
        "Last session: end",
        .session,
        .text("reason", of: "ending"),
        .text("flag-checkered")
      ),
    ]
  }

  private var picture: [String: Component] {
    [
      "picture": component(
        "picture",
        "image",
        "Picture",
        ["image_topic": path(.picture), "content_type": "image/jpeg"]
      ),
      "updatePicture": button(
        "updatePicture",
        "Update picture",
        .pictureRequest,
        press: "get",
        icon: "camera"
      ),
    ]
  }

  // MARK: Box

  private var box: [String: Component] {
    var problem = binarySensor("problem", "Problem", .problem, .isTrue("problems"), "problem")
    problem["json_attributes_topic"] = .string(path(.problem))
    let signal = [
      "device_class": "signal_strength", "state_class": "measurement",
      "unit_of_measurement": "dBm",
    ]
    let diagnostic = ["entity_category": "diagnostic"]
    return [
      "link": sensor("link", "Link", .link, .text("state"), diagnostic),
      "signal": sensor("signal", "Signal", .link, .text("rssi"), signal.merging(diagnostic) { $1 }),
      "version": sensor("version", "Version", .version, .text("version"), diagnostic),
      "problem": problem,
    ]
  }

  // MARK: Kinds

  private func sensor(
    _ key: String,
    _ name: String,
    _ topic: CourtTopic,
    _ template: HomeAssistantTemplate,
    _ others: [String: String]
  ) -> Component {
    let own = ["state_topic": path(topic), "value_template": template.text]
    return component(key, "sensor", name, own.merging(others) { $1 })
  }

  private func binarySensor(
    _ key: String,
    _ name: String,
    _ topic: CourtTopic,
    _ template: HomeAssistantTemplate,
    _ deviceClass: String
  ) -> Component {
    component(
      key,
      "binary_sensor",
      name,
      [
        "state_topic": path(topic), "value_template": template.text, "device_class": deviceClass,
      ]
    )
  }

  private func button(
    _ key: String,
    _ name: String,
    _ topic: CourtTopic,
    press: String,
    icon: String
  ) -> Component {
    component(
      key,
      "button",
      name,
      ["command_topic": path(topic), "payload_press": press, "icon": "mdi:\(icon)"]
    )
    .merging(["retain": .boolean(false)]) { $1 }
  }

  private func component(
    _ key: String,
    _ platform: String,
    _ name: String,
    _ others: [String: String]
  ) -> Component {
    var component = others.mapValues(JSONValue.string)
    component["platform"] = .string(platform)
    component["name"] = .string(name)
    component["unique_id"] = .string("\(id)_\(key)")
    // The device's availability is the component's, too; a QoS of the device is not.
    component["qos"] = .integer(1)
    return component
  }
}

extension [String: String] {
  fileprivate static var `enum`: Self { ["device_class": "enum"] }

  fileprivate static func text(_ icon: String) -> Self { ["icon": "mdi:\(icon)"] }

  /// Balls of what goes on, from 0 again and again.
  fileprivate static func count(_ icon: String) -> Self {
    [
      "state_class": "total_increasing", "unit_of_measurement": "balls", "icon": "mdi:\(icon)",
    ]
  }

  /// One of what is over.
  fileprivate static func figure(
    _ unit: String,
    _ deviceClass: String? = nil,
    icon: String? = nil
  ) -> Self {
    var figure = ["state_class": "measurement", "unit_of_measurement": unit]
    figure["device_class"] = deviceClass
    figure["icon"] = icon.map { "mdi:\($0)" }
    return figure
  }
}
