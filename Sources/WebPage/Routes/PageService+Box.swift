extension PageService {
  /// What the page shows of its box.
  package struct Box: Sendable {
    package var id: BoxID
    package var version: String
    package var hostname: String
    /// The box's name for people: without its domain, and with nothing that HTML reads.
    package var shortName: String {
      hostname.prefix { $0 != "." }
        .filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }
    package var port: Int
    package var stopPort: Int

    package init(id: BoxID, version: String, hostname: String, port: Int, stopPort: Int) {
      self.id = id
      self.version = version
      self.hostname = hostname
      self.port = port
      self.stopPort = stopPort
    }
  }
}
