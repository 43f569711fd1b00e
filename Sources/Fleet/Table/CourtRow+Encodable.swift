import Host

/// What a court that is gone has said last is below `last`: a script that reads `state` reads the present, or
/// nothing.
extension CourtRow: Encodable {
  private enum Key: CodingKey {
    case court, name, nameDoubt, namesake, isOnline, offlineSince, clockAhead, version, problems,
      last
  }

  private enum WordKey: CodingKey {
    case state, link, balls, drill, problems
  }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(court, forKey: .court)
    try object.encodeIfPresent(name, forKey: .name)
    try object.encodeIfPresent(nameDoubt, forKey: .nameDoubt)
    try object.encodeIfPresent(namesake, forKey: .namesake)
    try object.encodeIfPresent(isOnline, forKey: .isOnline)
    try object.encodeIfPresent(offlineSince, forKey: .offlineSince)
    try object.encodeIfPresent(clock.ahead, forKey: .clockAhead)
    try object.encodeIfPresent(version, forKey: .version)
    if isOnline == true {
      var words = encoder.container(keyedBy: WordKey.self)
      try encodeWords(to: &words)
      try words.encode(problems, forKey: .problems)
    } else {
      try object.encode([Problem](), forKey: .problems)
      guard hasSaidSomething else { return }
      var words = object.nestedContainer(keyedBy: WordKey.self, forKey: .last)
      try encodeWords(to: &words)
      if !problems.isEmpty { try words.encode(problems, forKey: .problems) }
    }
  }

  private var hasSaidSomething: Bool {
    state != nil || link != nil || balls != nil || drill != nil || !problems.isEmpty
  }

  private func encodeWords(to object: inout KeyedEncodingContainer<WordKey>) throws {
    try object.encodeIfPresent(state, forKey: .state)
    try object.encodeIfPresent(link, forKey: .link)
    try object.encodeIfPresent(balls, forKey: .balls)
    try object.encodeIfPresent(drill, forKey: .drill)
  }
}
