import Host

/// Writes a run's files, within the bound of all runs' files together.
///
/// Nothing is made before there is something to write.
struct LogWriter: Sendable {
  /// No file is longer, so that a person can look at it or send it by mail.
  static let longestPart = 32 << 20

  private var opener: LogFileOpener
  private var records: LogParts
  private var playerPositions: LogParts?

  /// - Parameters:
  ///   - totalSize: of all runs' files, in bytes.
  ///   - beginning: of the run, as names have it.
  ///   - create: makes a file; by default in the directory.
  init(
    in directory: LogDirectory,
    totalSize: Int,
    beginning: String,
    writesPlayerPositions: Bool,
    create: LogFileOpener.Create? = nil
  ) {
    // So small that removing one file leaves most of the log.
    let part = min(totalSize / 8, Self.longestPart)
    records = LogParts(partSize: part)
    // A line a second: 100 kB an hour.
    let small = part / 8
    if writesPlayerPositions { playerPositions = LogParts(partSize: small) }
    opener = LogFileOpener(
      directory: directory,
      totalSize: totalSize,
      room: part + (writesPlayerPositions ? small : 0),
      beginning: beginning,
      create: create
    )
  }

  /// - Parameter line: with its end.
  mutating func append(_ line: some Sequence<UInt8>) { records.append(line) }

  mutating func appendPlayerPosition(_ line: some Sequence<UInt8>) {
    playerPositions?.append(line)
  }

  /// Whether nothing waits.
  var isUpToDate: Bool { records.unwritten.isEmpty && playerPositions?.unwritten.isEmpty ?? true }

  /// The files that are written now.
  var files: [LogFileName] {
    [records.file?.name, playerPositions?.file?.name].compactMap(\.self)
  }

  /// Writes what waits; what can't be written goes on waiting.
  ///
  /// - Parameter head: the first lines of a file of records, which comes after so many bytes of
  ///   records in all files before it.
  mutating func flush(
    head: (_ run: Int, _ part: Int, _ written: Int) -> [UInt8]
  ) throws(SystemError) {
    var opener = opener
    defer { self.opener = opener }
    var other = playerPositions?.file?.name
    try records.flush { (part, written) throws(SystemError) in
      try opener.open(.records, part, keeping: other) { head($0, part, written) }
    }
    other = records.file?.name
    try playerPositions?.flush { (part, _) throws(SystemError) in
      try opener.open(.playerPositions, part, keeping: other) { _ in
        Array("timestamp,x,y\n".utf8)
      }
    }
  }

  /// The next line begins a new file. Nothing may wait.
  mutating func endPlayerPositions() throws(SystemError) { try playerPositions?.close() }

  /// Syncs to the disk what is written, and gives up files that were deleted.
  mutating func sync() throws(SystemError) {
    try records.sync()
    try playerPositions?.sync()
  }
}
