import Host

/// A machine in a state file, and since when it has been known: members of one object.
struct KnownMachine<Machine: Codable & Sendable>: Codable, Sendable {
  var machine: Machine
  var since: WallTime

  init(_ machine: Machine, since: WallTime) {
    self.machine = machine
    self.since = since
  }

  init(from decoder: any Decoder) throws {
    self.init(try Machine(from: decoder), since: try Since(from: decoder).since)
  }

  func encode(to encoder: any Encoder) throws {
    try machine.encode(to: encoder)
    try Since(since: since).encode(to: encoder)
  }
}

private struct Since: Codable {
  var since: WallTime
}
