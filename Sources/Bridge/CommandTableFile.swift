package import CourtLogic

/// Where command tables come from: the one that is built in, or a file.
package enum CommandTableFile {
  /// A table has less than a kilobyte; whatever is so much longer is something else.
  private static let longest = 1 << 20

  /// The table that the program brings along.
  package static let builtIn: CommandTable = {
    let csv = String(decoding: PackageResources.command_table_csv, as: UTF8.self)
    do { return try CommandTable(csv: csv) } catch {
      preconditionFailure("the built-in table: \(error)")
    }
  }()

  package static func load(
    path: String,
    limits: MachineLimits = .widest
  ) throws(CommandTableFileError) -> CommandTable {
    let bytes: [UInt8]
    do throws(CommandTableFileError.Reason) { bytes = try read(path) } catch {
      throw CommandTableFileError(path: path, reason: error)
    }
    guard let csv = String(validating: bytes, as: UTF8.self) else {
      throw CommandTableFileError(path: path, reason: .notText)
    }
    do throws(CommandTableError) { return try CommandTable(csv: csv, limits: limits) } catch {
      throw CommandTableFileError(path: path, reason: .content(error))
    }
  }

  private static func read(_ path: String) throws(CommandTableFileError.Reason) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try InputFile.bytes(path, longest: longest) } catch {
      throw .unreadable(error)
    }
    guard let bytes else { throw .tooLong }
    return bytes
  }
}

/// Why a file gives no command table.
package struct CommandTableFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Error, Hashable, Sendable {
    case unreadable(SystemError)
    case tooLong
    /// Its bytes are no UTF-8.
    case notText
    case content(CommandTableError)
  }

  package let path: String
  package let reason: Reason

  package var description: String {
    switch reason {
    case .unreadable(let error): error.description
    case .tooLong: "\(path): is no command table, but a file of more than a megabyte"
    case .notText: "\(path): is not UTF-8 text"
    case .content(let error): "\(path), \(error)"
    }
  }
}
