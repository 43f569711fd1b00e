package import CourtLogic
package import Host

/// Where command tables come from: the one that is built in, or a file.
package enum CommandTableFile {
  /// A table has less than a kilobyte; a file longer than this is not a table.
  private static let longest = 1 << 20

  /// The table that is part of the program.
  package static let builtIn: CommandTable = {
    do { return try builtIn(within: .widest) } catch { preconditionFailure("\(error)") }
  }()

  /// The built-in table, checked against a machine's limits.
  package static func builtIn(
    within limits: MachineLimits
  ) throws(CommandTableFileError) -> CommandTable {
    let csv = String(decoding: PackageResources.command_table_csv, as: UTF8.self)
    return try table(csv, limits, path: "the built-in table")
  }

  package static func load(
    path: String,
    limits: MachineLimits = .widest
  ) throws(CommandTableFileError) -> CommandTable {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try InputFile.bytes(path, .named, longest: longest) } catch {
      throw CommandTableFileError(path: path, reason: .unreadable(error))
    }
    guard let bytes else { throw CommandTableFileError(path: path, reason: .tooLong) }
    guard let csv = String(validating: bytes, as: UTF8.self) else {
      throw CommandTableFileError(path: path, reason: .notText)
    }
    return try table(csv, limits, path: path)
  }

  private static func table(
    _ csv: String,
    _ limits: MachineLimits,
    path: String
  ) throws(CommandTableFileError) -> CommandTable {
    do throws(CommandTableError) { return try CommandTable(csv: csv, limits: limits) } catch {
      let errors = CommandTable.errors(csv: csv, limits: limits)
      throw CommandTableFileError(path: path, reason: .content(errors))
    }
  }
}

/// Why a file gives no command table.
package struct CommandTableFileError: Error, Hashable, Sendable, Lined {
  package enum Reason: Hashable, Sendable {
    case unreadable(SystemError)
    case tooLong
    /// The file's bytes are no UTF-8.
    case notText
    /// One for each line that is wrong.
    case content([CommandTableError])
  }

  package let path: String
  package let reason: Reason

  /// A line for each thing that is wrong.
  package var lines: [String] {
    switch reason {
    case .unreadable(let error): [error.description]
    case .tooLong: ["\(path): is not a command table: it is longer than a megabyte"]
    case .notText: ["\(path): is not UTF-8 text"]
    case .content(let errors): errors.map { "\(path):\($0)" }
    }
  }
}
