import CourtLogic
import Host
import JSON

/// The record `trainingSession`.
extension Session: Encodable {
  private enum Key: CodingKey {
    case event, session, arming, t, time, seconds, live, rested, mode
    case aim, drill, level, label, seed, interval, progress
    case balls, targets, outOfCourt, outcomes, manualOutcomes, answers, heldBy, pauses, ending
    case seen, distance, meanSpeed, greatestSpeed, firstStep, firstSteps, stood
    case lacks, unread
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode("trainingSession", forKey: .event)
    try object.encode(name.run, forKey: .session)
    try object.encode(name.arming, forKey: .arming)
    try object.encode(t, forKey: .t)
    try object.encode(begin.preciseISO8601, forKey: .time)
    try object.encode(seconds.rounded(places: 3), forKey: .seconds)
    try object.encode(live.rounded(places: 3), forKey: .live)
    if rested > 0 { try object.encode(rested.rounded(places: 3), forKey: .rested) }
    try object.encodeIfPresent(mode, forKey: .mode)
    try object.encodeIfPresent(aim, forKey: .aim)
    try object.encodeIfPresent(drill, forKey: .drill)
    try object.encodeIfPresent(level, forKey: .level)
    try object.encodeIfPresent(label, forKey: .label)
    try object.encodeIfPresent(seed, forKey: .seed)
    try object.encodeIfPresent(interval, forKey: .interval)
    try object.encodeIfPresent(progress, forKey: .progress)
    try object.encode(balls, forKey: .balls)
    let zones = Zone.allCases.filter { targets[$0.id] > 0 }.map { ("\($0)", targets[$0.id]) }
    try object.encode(Dictionary(uniqueKeysWithValues: zones), forKey: .targets)
    try object.encode(outOfCourt, forKey: .outOfCourt)
    try object.encode(outcomes, forKey: .outcomes)
    if manualCommands > 0 { try object.encode(manualOutcomes, forKey: .manualOutcomes) }
    try object.encodeIfPresent(answers, forKey: .answers)
    if !holds.isEmpty { try object.encode(holds, forKey: .heldBy) }
    if !pauses.isEmpty { try object.encode(pauses, forKey: .pauses) }
    try object.encode(ending, forKey: .ending)
    if let movement {
      try object.encode(movement.seen.rounded(places: 3), forKey: .seen)
      try object.encode(movement.distance.rounded(places: 1), forKey: .distance)
      try object.encode(movement.meanSpeed.rounded(places: 3), forKey: .meanSpeed)
      try object.encodeIfPresent(
        movement.greatestSpeed?.rounded(places: 2),
        forKey: .greatestSpeed
      )
      try object.encodeIfPresent(movement.firstStep?.rounded(places: 3), forKey: .firstStep)
      try object.encodeIfPresent(movement.firstSteps, forKey: .firstSteps)
      try object.encode(movement.stood, forKey: .stood)
    }
    if !lacks.isEmpty {
      try object.encode(lacks.map(\.rawValue).sorted(), forKey: .lacks)
    }
    if unread > 0 { try object.encode(unread, forKey: .unread) }
  }
}

extension Session.Interruption: Encodable {
  private enum Key: CodingKey {
    case code, reason, count, seconds
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(code, forKey: .code)
    try object.encode(reason, forKey: .reason)
    try object.encode(count, forKey: .count)
    try object.encode(seconds.rounded(places: 3), forKey: .seconds)
  }
}

extension Movement.Cell: Encodable {
  private enum Key: CodingKey {
    case x, y, seconds
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(x, forKey: .x)
    try object.encode(y, forKey: .y)
    try object.encode(seconds.rounded(places: 2), forKey: .seconds)
  }
}
