import Fleet
import Host
import Programs

/// A court that a broker is to forget.
struct ForgottenCourt {
  let settings: FleetSettings
  let broker: BrokerSettings
  /// Whether a person says that no box has it any more, also where the broker calls it online.
  let isBoxGone: Bool
  /// What this box remembers of whose court it was.
  let remembered: RememberedOwner
  private let memory = BrokerMemory()

  /// Removes all that the broker keeps of it, in Home Assistant, too, and what this box remembers of another
  /// one that had it: a service that waits for that one takes the court at once.
  ///
  /// - Throws: also if neither knew anything of it.
  func forget() async throws {
    let court = settings.court ?? ""
    let availability = CourtTopic.availability.path(of: court)
    let box = CourtTopic.box.path(of: court)
    let visit = BrokerVisit(
      broker: broker,
      purpose: "forget",
      topics: [availability, box],
      others: [CourtIndex.topic],
      memory: memory
    )
    let device = HomeAssistantDevice(settings, version: Version.number)
    // `box` is the last one: a box that is still connected publishes all again after that.
    let paths =
      [device.topic] + CourtTopic.allCases.filter(\.isRetained).map { $0.path(of: court) }
    do {
      let wasRefused = Locked(false)
      let kept = try await visit.make { [isBoxGone, remembered] kept in
        // The court's service would publish again.
        guard !isOnline(kept) || isBoxGone else {
          throw Failure(
            .unavailable,
            "\(court) is online: run `systemctl stop ballmachine-mqtt' on its box first; if that box "
              + "is dead or lost, add --box-is-gone"
          )
        }
        // Before the service of this box hears of it.
        let isOthers = try remembered.forget()
        wasRefused.withLock { $0 = isOthers }
        // MQTT's way to remove what is kept.
        return Self.index(kept[CourtIndex.topic], without: court)
          + paths.map { MQTTMessage($0, [], isRetained: true) }
      }
      guard [availability, box].contains(where: { kept[$0] != nil }) || wasRefused.withLock(\.self)
      else {
        throw Failure(
          .unavailable,
          "the broker knew no \(court): `ballmachine mqtt status' shows the courts that it knows"
        )
      }
      try await checkForgotten(kept)
    } catch let error as MQTTFailure where error.code == .forbidden {
      throw Failure(
        .unavailable,
        "\(court) is NOT forgotten: the broker refuses that to this user: \(error). \(Self.remedy(court))"
      )
    } catch let error as MQTTFailure {
      throw Failure(.unavailable, error)
    } catch let error as StateFileError {
      throw Failure(
        .cannotCreate,
        "nothing is forgotten: this box's memory of \(court) can't be removed: \(error)"
      )
    }
  }

  /// The index without this court, where the broker keeps one.
  private static func index(_ message: MQTTMessage?, without court: String) -> [MQTTMessage] {
    guard let index = message.map({ CourtIndex(payload: $0.payload) }), index.contains(court) else {
      return []
    }
    return [MQTTMessage(CourtIndex.topic, index.removing(court).payload, isRetained: true)]
  }

  /// A box that is still connected publishes all again, at once; and a broker of MQTT 3.1.1 drops without a
  /// word what a user may not do.
  ///
  /// - Parameter former: what the broker has kept before.
  private func checkForgotten(_ former: [String: MQTTMessage]) async throws {
    if isBoxGone { try await SystemClock().sleep(for: .seconds(2)) }
    let court = settings.court ?? ""
    let box = CourtTopic.box.path(of: court)
    let topics = [CourtTopic.availability.path(of: court), box]
    let visit = BrokerVisit(broker: broker, purpose: "forget", topics: topics, memory: memory)
    let kept = try await visit.make()
    // Another box, which waits for the court, may have it by now.
    let isKept =
      isBoxGone
      ? kept[box] != nil
      : topics.contains { kept[$0] != nil && kept[$0]?.payload == former[$0]?.payload }
    guard isKept else { return }
    throw Failure(
      .unavailable,
      "\(court) is NOT forgotten: its box is still connected and has published all again, or this user may not "
        + "remove it. End its service first. \(Self.remedy(court))"
    )
  }

  private func isOnline(_ kept: [String: MQTTMessage]) -> Bool {
    let availability = CourtTopic.availability.path(of: settings.court ?? "")
    return kept[availability].flatMap { CourtAvailability(payload: $0.payload) } == .online
  }

  private static func remedy(_ court: String) -> String {
    "Let the user \(court) do it, or another one who may write its topics"
  }
}
