import DBus
package import MockMachine

extension MockVerb {
  /// The line that the parser reads as this verb.
  ///
  /// nil where the grammar has no words for it: a machine with a table of its own making, an adapter
  /// with other roles, a text of two lines, a time finer than a nanosecond.
  package var line: String? {
    let line = ([name] + operands).map(quoted).joined(separator: " ")
    guard !line.contains(where: \.isNewline), (try? MockVerb(parsing: line)) == self else {
      return nil
    }
    return line
  }

  /// The word as it stands in a line, in quotes where it needs them.
  private func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && !word.hasPrefix("#") && !word.contains { $0 == "\"" || $0.isWhitespace }
    guard !isPlain else { return word }
    let escaped = word.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    return "\"\(escaped)\""
  }

  private var operands: [String] {
    switch self {
    case .machine(let peripheral): peripheral.words
    case .addAdapter(let adapter):
      [adapter.name, adapter.address.string] + (adapter.isPowered ? [] : ["off"])
        + (adapter.isDualMode ? ["dual-mode"] : [])
    case .removeAdapter(let adapter, let answer): [adapter, answer.rawValue]
    case .power(let adapter, let position): [adapter, position.rawValue]
    case .vanish(let machine), .appear(let machine), .drop(let machine),
      .coalesceDrop(let machine), .removeObject(let machine):
      [machine]
    case .newAddress(let machine, let address): [machine, address.string]
    case .link(let machine, let adapter): [machine] + (adapter.map { [$0] } ?? [])
    case .pair(let machine, let isPaired): [machine, isPaired ? "on" : "off"]
    case .mark(let isMarked): [isMarked ? "on" : "off"]
    case .fault(let machine, let fault, let times): [machine] + fault.words + times.words
    case .changeTable(let machine, let profile, _): [machine, "profile", profile.rawValue]
    case .notify(let machine, let text): [machine, text]
    case .notifyBytes(let machine, let bytes):
      [machine, bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()]
    case .garbage(let machine, let seed, let interval, let times):
      [machine, "\(seed)", interval.word] + times.words
    case .failMethod(let method, let error, let times): [method] + error.words + times.words
    case .hangMethod(let method, let times): [method] + times.words
    case .delayMethod(let method, let delay): [method, delay.word]
    case .timing(let name, let duration): [name, duration.word]
    case .clearFaults(let machine): machine.map { [$0] } ?? []
    case .restart(let pause): ["down-for", pause.word]
    case .advertiseFlood(let perSecond): ["\(perSecond)"]
    case .wait(let duration): [duration.word]
    case .down, .up, .help, .quit: []
    }
  }
}

extension MockFault {
  fileprivate var words: [String] {
    switch self {
    case .drop(let moment): ["at", moment.rawValue]
    case .refuseConnect(let error, let after):
      error.words + (after.map { ["after", $0.word] } ?? [])
    case .hangWrites(let isLost): isLost ? ["lost"] : []
    case .failWrites(let error), .failNotify(let error): error.words
    case .slowNotify(let delay), .lateAnswers(let delay): [delay.word]
    case .answers(let answers): [answers.rawValue]
    case .connectWithoutReply, .connectWithoutLink, .flap, .omitConnectedSignal, .resolveFails,
      .resolveHangs:
      []
    }
  }
}

extension MockTimes {
  /// Nothing, `times N` or `always`.
  package var words: [String] {
    switch count {
    case 1: []
    case let count?: ["times", "\(count)"]
    case nil: ["always"]
    }
  }
}

extension DBusError {
  fileprivate var words: [String] { [name, message] }
}

extension Duration {
  /// In seconds.
  fileprivate var word: String {
    let text = "\(self / .seconds(1))"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension MockPeripheral {
  /// The operands of `machine`: whatever is not as usual for the profile.
  fileprivate var words: [String] {
    guard let (profile, flags) = profile(of: table) else { return [] }
    let usual = MockPeripheral(address, profile: profile)
    var words = [address.string]
    if profile != .ballMachine { words += ["profile", profile.rawValue] }
    if encoding != usual.encoding { words += ["encoding", encoding.rawValue] }
    if checkByte != usual.checkByte { words += ["check-byte", checkByte.rawValue] }
    if name != usual.name { words += ["name", name ?? ""] }
    if gapName != name { words += ["gap-name", gapName ?? ""] }
    if advertisedUUIDs != usual.advertisedUUIDs {
      let uuids = advertisedUUIDs.map(\.string).joined(separator: ",")
      words += ["advertises", uuids.isEmpty ? "nothing" : uuids]
    }
    if let flags { words += ["flags", flags.joined(separator: ",")] }
    if rssi != usual.rssi { words += ["rssi", "\(rssi)"] }
    if mtu != usual.mtu { words += ["mtu", "\(mtu)"] }
    if addressType == .public { words.append("public") }
    if isPaired { words.append("paired") }
    if isTrusted { words.append("trusted") }
    if !isAdvertising { words.append("absent") }
    if let adapters { words += ["adapters", adapters.sorted().joined(separator: ",")] }
    return words
  }

  /// The profile that has this table, and the flags in it that are not as usual; nil if none has.
  private func profile(of table: MockGATTTable) -> (profile: MockProfile, flags: [String]?)? {
    if let profile = MockProfile.allCases.first(where: { $0.table(in: encoding) == table }) {
      return (profile, nil)
    }
    for profile in MockProfile.allCases {
      var changed = profile.table(in: encoding)
      guard let handle = changed.writable.first?.handle,
        let flags = table.characteristic(handle)?.flags
      else { continue }
      changed.setWritableFlags(flags)
      if changed == table { return (profile, flags) }
    }
    return nil
  }
}
