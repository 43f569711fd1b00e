// What the court's owner calls for.
extension CourtPublisher {
  /// A publication beside the newest messages of the topics.
  enum Notice: Hashable {
    case question
    /// The claim of a connection without a will.
    case claim
    /// The last word about a court that another box takes.
    case offline
    /// A convenience of the office.
    case index
  }

  func perform(_ actions: [CourtClaim.Action]) {
    for action in actions {
      switch action {
      case .ask: notify(.question, MQTTMessage(path(.box), []))
      case .claim: publishClaim()
      case .wait(let wait, let number):
        if wait == .comeback { report(.waiting(timeToReturn)) }
        after(wait == .comeback ? timeToReturn : Self.patience) {
          $0.perform($0.claim.expire(number))
        }
      case .open: open()
      case .repeatAll:
        messages.repeatAll()
        send()
      case .refuse(let box): report(.taken(by: box))
      case .report(let bytes, let isMended): report(.unreadable(bytes: bytes, isMended: isMended))
      case .leave: leaveToOther()
      }
    }
  }

  private func open() {
    guard hasWill, !isOpen else { return publishClaim() }
    isOpen = true
    report(.connected)
    for lack in BrokerLack.all(in: grants) { report(.lacking(lack)) }
    if isPlain { report(.lacking(.endsConnections)) }
    request(.stop)
    publishClaim()
  }

  /// A connection without a will makes way for one that has it.
  private func publishClaim() {
    let claim = message(.box, claim.payload)
    guard hasWill else { return notify(.claim, claim) }
    messages.set(claim, isNew: true)
    send()
  }

  /// An owner's `online` must not stay behind.
  private func leaveToOther() {
    guard isOpen else {
      if hasWill { running?.cancel() }
      return
    }
    isOpen = false
    notify(.offline, availability(.offline))
    after(Self.farewell) { $0.running?.cancel() }
  }

  func notify(_ notice: Notice, _ message: MQTTMessage) {
    guard let connection else { return }
    guard grants.takes(message) else {
      tooLong(message, isCut: false)
      return arrived(notice)
    }
    if let number = connection.assumeIsolated({ $0.publish(message) }) { notices[number] = notice }
  }

  func topic(of notice: Notice) -> String {
    switch notice {
    case .question, .claim: path(.box)
    case .offline: path(.availability)
    case .index: CourtIndex.topic
    }
  }

  func arrived(_ notice: Notice) {
    switch notice {
    case .claim where claim.isOwn: running?.cancel()
    case .offline: running?.cancel()
    case .question, .claim, .index: break
    }
  }
}
