package import ControlProtocol
package import Host

extension CourtRow.State {
  package var stopMeaning: SafetyRecord.Stop.Meaning? { .init(rawValue: state) }

  /// Whether the state itself needs a person.
  package var isBad: Bool { stopMeaning != nil || state == CourtStateRecord.noService }

  /// In doubt it is.
  var isReal: Bool { mode != "SIM" }

  /// Whether balls fly, or will without a person.
  package var isPlaying: Bool {
    switch state {
    case "disarmed", CourtStateRecord.noService: false
    // A silent source or a lost link ends by itself, and then it goes on.
    case "paused": ["silence", "linkLoss"].contains(code)
    // Also a word of a later version: in doubt they do.
    default: stopMeaning == nil
    }
  }

  /// Whether a real machine may throw: ``isPlaying``, and where it may not have the stop command.
  package var mayThrow: Bool { isReal && (isPlaying || ![nil, .stopped].contains(stopMeaning)) }

  /// What is bad about it. Why it was stopped says too little where the machine may go on.
  fileprivate var trouble: String {
    switch stopMeaning {
    case .stopped, nil: reason ?? words
    case .stopNotDelivered, .stopUnconfirmed, .stopping:
      sentence([words, stop?.reason, "look at the machine, and use its switch"]) ?? words
    }
  }

  /// The state in words.
  package var words: String {
    switch state {
    case "live": "LIVE"
    case CourtStateRecord.noService: "no service"
    default: stopMeaning == .stopNotDelivered ? "stop NOT delivered" : state.inWords
    }
  }

  /// What holds balls back, or may still come of the last ones.
  package var holdWords: String {
    guard let hold = holds?.first else { return "" }
    return switch state {
    case "live": ", held: \(hold)"
    case "disarmed", "resting": ", \(hold)"
    default: ""
    }
  }
}

extension CourtRow {
  /// Whether a person should look at this court. One that is off is only if balls may fly there.
  package var needsAttention: Bool {
    switch isOnline {
    case nil: true
    case false?: state?.mayThrow ?? true
    case true?:
      state?.isBad ?? true || link?.reason != nil || !problems.isEmpty || clock.ahead != nil
        || nameDoubt != nil || namesake != nil
    }
  }

  /// What is wrong at present, and what to do about it, a line each. What a court that is off has said is
  /// the past, and none of these.
  package var troubles: [String] {
    var lines =
      switch isOnline {
      case true?: presentTroubles
      case false?: [absence]
      case nil: ["the broker does not say whether its box is connected"]
      }
    if let nameDoubt {
      lines.append("its name has \(nameDoubt): change fleet.name in its mqtt.yaml")
    }
    if let namesake {
      lines.append("its name looks like that of \(namesake): change fleet.name in its mqtt.yaml")
    }
    var seen: Set<String> = []
    return lines.filter { seen.insert($0).inserted }
  }

  private var presentTroubles: [String] {
    var lines: [String?] = []
    if state == nil { lines.append("its state is not known: balls may fly") }
    if let state, state.isBad { lines.append(state.trouble) }
    if let link, link.reason != nil { lines.append(sentence([link.reason, link.remedy])) }
    lines.append(clock.words.map { "\($0); look at `date' on both" })
    lines += problems.map(\.sentence)
    return lines.compactMap(\.self)
  }

  /// That its box is gone, and whether balls may fly.
  private var absence: String {
    let absence = "its box is off or has lost the broker; its "
    guard let state else { return absence + "state is not known: balls may still fly" }
    let last = absence + "last state was \(state.words)"
    guard state.isReal else { return last + ", with a simulated machine" }
    return last + (state.mayThrow ? ": balls may still fly" : "")
  }

  /// Since when it is as it is, by this computer's clock; nil: not known.
  package var shownSince: WallTime? { isOnline == true ? stateSince : offlineSince }

  /// Since when its state, or its last one, is as it is, by this computer's clock; nil: not known.
  var stateSince: WallTime? {
    clock.ahead == nil ? state?.since : sawStateBegin ? stateArrived : nil
  }

  /// What people call it; nil where its name in the topics must stand for it, and where that is its name.
  package var shownName: String? {
    nameDoubt == nil && namesake == nil && name != court ? name : nil
  }
}

extension CourtRow.Problem {
  /// What is wrong, and what to do about it; nil: it says nothing.
  var sentence: String? { Fleet.sentence([text ?? code, remedy]) }
}

/// The texts that are there, one after the other; nil: there is none.
func sentence(_ texts: [String?], separator: String = "; ") -> String? {
  let texts = texts.compactMap(\.self)
  return texts.isEmpty ? nil : texts.joined(separator: separator)
}

extension String {
  /// A record's word for people: `backingOff` as `backing off`.
  package var inWords: String {
    reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }
}
