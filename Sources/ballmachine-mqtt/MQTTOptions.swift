import Fleet
import Host
import Programs

extension ProgramPlaces {
  static let mqtt = ProgramPlaces(of: "ballmachine-mqtt", unless: "BALLMACHINE_MQTT_DIR")
  static let camera = ProgramPlaces(of: "ballmachine-camera", unless: "BALLMACHINE_CAMERA_DIR")

  /// Where the camera's service gives a picture.
  var picture: String { runtime + "/picture.sock" }
}

/// Where a court's configuration is.
struct MQTTOptions {
  var config: String?

  static let options: [Option<MQTTOptions>] = [
    .value(
      "config",
      .text("FILE"),
      \.config,
      "Read this configuration (default: \(FleetSettings.standardPath))"
    )
  ]

  /// The configuration's file.
  var path: String { config ?? FleetSettings.standardPath }

  /// The settings of one court.
  func settings() throws -> FleetSettings {
    let settings = try FleetSettings.load(config, orElse: FleetSettings.standardPath)
    if let problem = settings.problem() {
      throw Failure(.configuration, "\(path): \(problem)")
    }
    return settings
  }
}

extension FleetSettings {
  /// Not an error of the configuration, which would end the service: a person may mend the file.
  func readBroker() throws -> BrokerSettings {
    do throws(SystemError) { return try broker() } catch {
      throw Failure(ExitCode(opening: error), error)
    }
  }
}
