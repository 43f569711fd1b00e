import Fleet
import Host
import Programs

/// A court that a broker is to forget.
struct ForgottenCourt {
  let settings: FleetSettings
  let broker: BrokerSettings

  /// Removes all that the broker keeps of it, in Home Assistant, too.
  ///
  /// - Throws: also if the broker kept nothing of it.
  func forget() async throws {
    let court = settings.court ?? ""
    let availability = CourtTopic.availability.path(of: court)
    let visit = BrokerVisit(broker: broker, purpose: "forget", topics: [availability])
    let device = HomeAssistantDevice(settings, version: Version.number)
    let paths =
      CourtTopic.allCases.filter(\.isRetained).map { $0.path(of: court) } + [device.topic]
    do {
      let kept = try await visit.make { kept in
        // Its service would publish again.
        guard kept[availability]?.payload != CourtAvailability.online.payload else {
          throw Failure(
            .unavailable,
            "\(court) is online: run `systemctl stop ballmachine-mqtt' on its box first"
          )
        }
        // MQTT's way to remove what is kept.
        return paths.map { MQTTMessage($0, [], isRetained: true) }
      }
      guard !kept.isEmpty else {
        throw Failure(
          .unavailable,
          "the broker knew no \(court): `ballmachine mqtt status' shows the courts that it knows"
        )
      }
    } catch let error as MQTTFailure { throw Failure(.unavailable, "\(error)") }
  }
}
