import Fleet
import JSON
import Testing

@Suite struct HomeAssistantDeviceTests {
  private static let page = "https://court-1.club.example:8443/"

  /// - Parameter optional: whether all that is off by default is on.
  private static func device(optional: Bool = true) -> HomeAssistantDevice {
    let settings = FleetSettings.court1 {
      $0.name = "Court 1"
      ($0.player, $0.session, $0.picture) = (optional, optional, optional)
      $0.page = optional ? page : nil
    }
    return HomeAssistantDevice(settings, version: "1.2.3")
  }

  private static func components(
    _ device: HomeAssistantDevice
  ) throws -> [String: [String: JSONValue]] {
    guard case .object(let components)? = try JSONValue(text: device.payload)["components"] else {
      return [:]
    }
    return components.compactMapValues { component in
      guard case .object(let members) = component else { return nil }
      return members
    }
  }

  @Test func itsTopicIsThatOfADevice() {
    #expect(Self.device().topic == "homeassistant/device/ballmachine/court-1/config")
    let settings = FleetSettings.court1 {
      $0.court = "a_b"
      $0.prefix = "ha"
    }
    let other = HomeAssistantDevice(settings, version: "1")
    #expect(other.birthTopic == "ha/status")
    #expect(other.topic == "ha/device/ballmachine/a_b/config")
  }

  @Test func golden() throws {
    let value = try JSONValue(text: Self.device().payload)
    #expect(String(decoding: try JSONEncoding.file(value), as: UTF8.self) == Self.golden)
  }

  @Test(arguments: [true, false]) func itKeepsHomeAssistantsRules(optional: Bool) throws {
    let value = try JSONValue(text: Self.device(optional: optional).payload)
    #expect(HomeAssistantRules.errors(value) == [])
  }

  /// Neither is a command to the machine but the stop.
  @Test func onlyButtonsCommandAndTheyStopOrAskForAPicture() throws {
    let components = try Self.components(Self.device())
    let commands = components.filter { _, members in
      members.keys.contains { $0.hasPrefix("command") || $0.hasPrefix("payload_") }
    }
    #expect(commands.keys.sorted() == ["stop", "updatePicture"])
    for (key, topic) in [("stop", CourtTopic.stop), ("updatePicture", .pictureRequest)] {
      let button = try #require(components[key])
      #expect(button["command_topic"]?.string == topic.path(of: "court-1"))
      #expect(button["retain"] == .boolean(false))
    }
    let platforms = Set(components.values.compactMap { $0["platform"]?.string })
    #expect(platforms == ["sensor", "binary_sensor", "button", "image"])
  }

  /// A platform alone: Home Assistant forgets what it had.
  @Test func whatIsNotPublishedIsNoComponent() throws {
    let all = try Self.components(Self.device())
    let least = try Self.components(Self.device(optional: false))
    #expect(least.keys.sorted() == all.keys.sorted())
    let gone = least.filter { $0.value.count == 1 }
    let optional = [
      "picture", "player", "sessionBalls", "sessionDistance", "sessionEnd", "sessionMinutes",
      "sessionTime", "updatePicture",
    ]
    #expect(gone.keys.sorted() == optional)
    for (key, component) in gone { #expect(component["platform"] == all[key]?["platform"]) }
  }

  @Test func theDeviceLinksToThePageIfThatIsKnown() throws {
    func link(_ device: HomeAssistantDevice) throws -> JSONValue? {
      try JSONValue(text: device.payload)["device"]?["configuration_url"]
    }
    #expect(try link(Self.device()) == .string(Self.page))
    #expect(try link(Self.device(optional: false)) == nil)
  }

  @Test func eachTopicIsOneThatTheCourtPublishes() throws {
    let members = try Self.components(Self.device()).values.flatMap { $0 }
    let topics = Set(members.filter { $0.key.hasSuffix("_topic") }.compactMap(\.value.string))
    let court: [CourtTopic] = [
      .state, .balls, .link, .drill, .version, .problem, .player, .session, .stop, .picture,
      .pictureRequest,
    ]
    #expect(topics == Set(court.map { $0.path(of: "court-1") }))
  }

  // MARK: What Home Assistant refuses

  private typealias Change = @Sendable ([String: JSONValue]) -> [String: JSONValue]

  private static let wrong: [(error: String, change: Change)] =
    [
      ("payload: there is no ~", { $0.merging(["~": .string("a")]) { $1 } }),
      ("no device", { $0.filter { $0.key != "device" } }),
      ("device: no identifiers", { $0.merging(["device": .object([:])]) { $1 } }),
      ("device: configuration_url is no URL", linking("court-1.club.example:8080")),
      ("device: configuration_url is no URL", linking("ftp://court-1")),
      ("device: configuration_url is no URL", linking("http:///page")),
      ("device: configuration_url is no URL", linking("http://court 1/")),
      ("no origin", { $0.filter { $0.key != "origin" } }),
      (
        "payload: availability_topic is no topic",
        { $0.merging(["availability_topic": .string("a/#")]) { $1 } }
      ),
      ("bad: its platform is none of ours", adding(["platform": .string("switch"), "x": .null])),
      ("bad: no unique_id", adding(["unique_id": .null])),
      (
        "stop: its unique_id is another's, too",
        adding(["unique_id": .string("ballmachine_court-1_stop")])
      ),
      ("bad: state_topic is no topic", adding(["state_topic": .string("a/#/b")])),
      ("bad: no such device_class", adding(["device_class": .string("nonsense")])),
      ("bad: an enum without options", adding(["device_class": .string("enum")])),
      ("bad: options are for an enum alone", adding(["options": .array([.string("a")])])),
      ("bad: no unit of its device_class", adding(["device_class": .string("signal_strength")])),
      (
        "bad: no state_class of its device_class",
        adding([
          "device_class": .string("signal_strength"), "unit_of_measurement": .string("dBm"),
          "state_class": .string("total"),
        ])
      ),
      ("bad: no such state_class", adding(["state_class": .string("sum")])),
      ("bad: there is no command_topic", adding(["command_topic": .string("a")])),
      ("bad: its category is not for sensor", adding(["entity_category": .string("config")])),
      (
        "bad: there is no state_topic",
        adding(["platform": .string("image"), "image_topic": .string("a")])
      ),
      ("bad: no image_topic", adding(["platform": .string("image"), "state_topic": .null])),
    ]

  private static func linking(_ url: String) -> Change {
    { payload in
      guard case .object(let device)? = payload["device"] else { return payload }
      let linked = device.merging(["configuration_url": .string(url)]) { $1 }
      return payload.merging(["device": .object(linked)]) { $1 }
    }
  }

  private static func adding(_ changes: [String: JSONValue]) -> Change {
    { payload in
      guard case .object(var components)? = payload["components"] else { return payload }
      let bad: [String: JSONValue] = [
        "platform": .string("sensor"), "unique_id": .string("bad"), "state_topic": .string("a"),
      ]
      components["bad"] = .object(bad.merging(changes) { $1 }.filter { $0.value != .null })
      return payload.merging(["components": .object(components)]) { $1 }
    }
  }

  @Test(arguments: wrong.indices) func theRulesRefuse(_ index: Int) throws {
    guard case .object(let payload) = try JSONValue(text: Self.device().payload) else { return }
    let (error, change) = Self.wrong[index]
    #expect(HomeAssistantRules.errors(.object(change(payload))) == [error])
  }

  private static let golden = """
    {
      "availability_topic" : "ballmachine/court-1/availability",
      "components" : {
        "aim" : {
          "icon" : "mdi:bullseye-arrow",
          "name" : "Aim",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/drill",
          "unique_id" : "ballmachine_court-1_aim",
          "value_template" : "{{ ((value_json | default({})).aim | default('None') | string)[:255] }}"
        },
        "balls" : {
          "icon" : "mdi:tennis-ball",
          "name" : "Balls",
          "platform" : "sensor",
          "qos" : 1,
          "state_class" : "total_increasing",
          "state_topic" : "ballmachine/court-1/balls",
          "unique_id" : "ballmachine_court-1_balls",
          "unit_of_measurement" : "balls",
          "value_template" : "{{ ((value_json | default({})).session | default('None') | string)[:255] }}"
        },
        "byHand" : {
          "icon" : "mdi:hand-back-right",
          "name" : "Balls by hand",
          "platform" : "sensor",
          "qos" : 1,
          "state_class" : "total_increasing",
          "state_topic" : "ballmachine/court-1/balls",
          "unique_id" : "ballmachine_court-1_byHand",
          "unit_of_measurement" : "balls",
          "value_template" : "{{ ((value_json | default({})).byHand | default('None') | string)[:255] }}"
        },
        "drill" : {
          "icon" : "mdi:clipboard-list-outline",
          "name" : "Drill",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/drill",
          "unique_id" : "ballmachine_court-1_drill",
          "value_template" : "{{ ((value_json | default({})).drill | default('no drill' if (value_json | default({})).aim is defined else 'None') | string)[:255] }}"
        },
        "level" : {
          "icon" : "mdi:stairs",
          "name" : "Level",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/drill",
          "unique_id" : "ballmachine_court-1_level",
          "value_template" : "{{ ((value_json | default({})).level | default('no level' if (value_json | default({})).aim is defined else 'None') | string)[:255] }}"
        },
        "link" : {
          "entity_category" : "diagnostic",
          "name" : "Link",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/link",
          "unique_id" : "ballmachine_court-1_link",
          "value_template" : "{{ ((value_json | default({})).state | default('None') | string)[:255] }}"
        },
        "picture" : {
          "content_type" : "image/jpeg",
          "image_topic" : "ballmachine/court-1/picture",
          "name" : "Picture",
          "platform" : "image",
          "qos" : 1,
          "unique_id" : "ballmachine_court-1_picture"
        },
        "player" : {
          "device_class" : "occupancy",
          "name" : "Player",
          "platform" : "binary_sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/player",
          "unique_id" : "ballmachine_court-1_player",
          "value_template" : "{{ 'ON' if (value_json | default({})).present | default(false) else 'OFF' }}"
        },
        "problem" : {
          "device_class" : "problem",
          "json_attributes_topic" : "ballmachine/court-1/problem",
          "name" : "Problem",
          "platform" : "binary_sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/problem",
          "unique_id" : "ballmachine_court-1_problem",
          "value_template" : "{{ 'ON' if (value_json | default({})).problems | default(false) else 'OFF' }}"
        },
        "progress" : {
          "icon" : "mdi:progress-check",
          "name" : "Progress",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/drill",
          "unique_id" : "ballmachine_court-1_progress",
          "value_template" : "{% set d = (value_json | default({})) %}{{ 'set %s of %s, ball %s of %s' % (d.set, d.sets, d.ball, d.ballsPerSet) if d.set is defined else 'not in progress' if d.drill is defined else 'no drill' if d.aim is defined else 'None' }}"
        },
        "reason" : {
          "icon" : "mdi:information-outline",
          "name" : "Reason",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/state",
          "unique_id" : "ballmachine_court-1_reason",
          "value_template" : "{{ ((value_json | default({})).reason | default('none' if (value_json | default({})).state is defined else 'None') | string)[:255] }}"
        },
        "sessionBalls" : {
          "icon" : "mdi:tennis-ball",
          "name" : "Last session: balls",
          "platform" : "sensor",
          "qos" : 1,
          "state_class" : "measurement",
          "state_topic" : "ballmachine/court-1/session",
          "unique_id" : "ballmachine_court-1_sessionBalls",
          "unit_of_measurement" : "balls",
          "value_template" : "{{ ((value_json | default({})).balls | default('None') | string)[:255] }}"
        },
        "sessionDistance" : {
          "device_class" : "distance",
          "name" : "Last session: distance",
          "platform" : "sensor",
          "qos" : 1,
          "state_class" : "measurement",
          "state_topic" : "ballmachine/court-1/session",
          "unique_id" : "ballmachine_court-1_sessionDistance",
          "unit_of_measurement" : "m",
          "value_template" : "{{ ((value_json | default({})).distance | default('None') | string)[:255] }}"
        },
        "sessionEnd" : {
          "icon" : "mdi:flag-checkered",
          "name" : "Last session: end",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/session",
          "unique_id" : "ballmachine_court-1_sessionEnd",
          "value_template" : "{{ (((value_json | default({})).ending | default({})).reason | default('None') | string)[:255] }}"
        },
        "sessionMinutes" : {
          "device_class" : "duration",
          "name" : "Last session: time in play",
          "platform" : "sensor",
          "qos" : 1,
          "state_class" : "measurement",
          "state_topic" : "ballmachine/court-1/session",
          "unique_id" : "ballmachine_court-1_sessionMinutes",
          "unit_of_measurement" : "min",
          "value_template" : "{{ ((value_json | default({})).live / 60) | round(1) if (value_json | default({})).live is defined else 'None' }}"
        },
        "sessionTime" : {
          "device_class" : "timestamp",
          "name" : "Last session",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/session",
          "unique_id" : "ballmachine_court-1_sessionTime",
          "value_template" : "{{ ((value_json | default({})).time | default('None') | string)[:255] }}"
        },
        "signal" : {
          "device_class" : "signal_strength",
          "entity_category" : "diagnostic",
          "name" : "Signal",
          "platform" : "sensor",
          "qos" : 1,
          "state_class" : "measurement",
          "state_topic" : "ballmachine/court-1/link",
          "unique_id" : "ballmachine_court-1_signal",
          "unit_of_measurement" : "dBm",
          "value_template" : "{{ ((value_json | default({})).rssi | default('None') | string)[:255] }}"
        },
        "state" : {
          "device_class" : "enum",
          "json_attributes_topic" : "ballmachine/court-1/state",
          "name" : "State",
          "options" : [
            "disarmed",
            "pending",
            "countdown",
            "live",
            "resting",
            "paused",
            "stopping",
            "stopped",
            "stopUnconfirmed",
            "stopNotDelivered",
            "noService"
          ],
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/state",
          "unique_id" : "ballmachine_court-1_state",
          "value_template" : "{% set word = (value_json | default({})).state | default %}{{ word if word in ['disarmed', 'pending', 'countdown', 'live', 'resting', 'paused', 'stopping', 'stopped', 'stopUnconfirmed', 'stopNotDelivered', 'noService'] else 'None' }}"
        },
        "stop" : {
          "command_topic" : "ballmachine/court-1/stop",
          "icon" : "mdi:stop-circle",
          "name" : "Stop",
          "payload_press" : "stop",
          "platform" : "button",
          "qos" : 1,
          "retain" : false,
          "unique_id" : "ballmachine_court-1_stop"
        },
        "updatePicture" : {
          "command_topic" : "ballmachine/court-1/picture/get",
          "icon" : "mdi:camera",
          "name" : "Update picture",
          "payload_press" : "get",
          "platform" : "button",
          "qos" : 1,
          "retain" : false,
          "unique_id" : "ballmachine_court-1_updatePicture"
        },
        "version" : {
          "entity_category" : "diagnostic",
          "name" : "Version",
          "platform" : "sensor",
          "qos" : 1,
          "state_topic" : "ballmachine/court-1/version",
          "unique_id" : "ballmachine_court-1_version",
          "value_template" : "{{ ((value_json | default({})).version | default('None') | string)[:255] }}"
        }
      },
      "device" : {
        "configuration_url" : "https://court-1.club.example:8443/",
        "identifiers" : [
          "ballmachine_court-1"
        ],
        "manufacturer" : "ballmachine",
        "model" : "Ball machine bridge",
        "name" : "Court 1",
        "sw_version" : "1.2.3"
      },
      "origin" : {
        "name" : "ballmachine-mqtt",
        "sw_version" : "1.2.3"
      }
    }

    """
}
