import Glibc
import Host

extension LogDirectory {
  /// A temporary file, the only one here that is not a run's.
  private static let unfinished = "thinning.new"

  /// Replaces a file of records by one without feeders' records: balls, safety and the link stay.
  ///
  /// - Returns: the new file's name.
  func thin(_ name: LogFileName) throws(SystemError) -> LogFileName {
    var thinned = name
    thinned.kind = .thinned
    let unfinished = path + "/" + Self.unfinished
    // What a crash has left.
    _ = unlink(unfinished)
    do throws(SystemError) {
      try copyWithoutFeeders(path(of: name), to: unfinished)
      guard rename(unfinished, path(of: thinned)) == 0 else {
        throw SystemError("write \(path(of: thinned))")
      }
    } catch {
      _ = unlink(unfinished)
      throw error
    }
    try remove(name)
    return thinned
  }

  func remove(_ name: LogFileName) throws(SystemError) {
    let path = path(of: name)
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("remove \(path)") }
  }

  private func copyWithoutFeeders(_ source: String, to target: String) throws(SystemError) {
    let number = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard number >= 0 else { throw SystemError("create \(target)") }
    let file = FileDescriptor(owning: number)
    _ = fchmod(number, 0o640)
    var waiting: [UInt8] = []
    var failure: SystemError?
    // What root has thinned is still the service's.
    try InputFile.read(source) { status in
      _ = fchown(file.number, status.st_uid, status.st_gid)
    } take: { chunk in
      waiting += chunk
      let end = waiting.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let kept: [[UInt8]] = waiting[..<end].split(separator: UInt8(ascii: "\n"))
        .filter { !RecordLine.isOfFeeders($0) }.map(Array.init)
      waiting.removeFirst(end)
      do throws(SystemError) {
        for line in kept {
          try writeAll(line + [UInt8(ascii: "\n")], to: file.number, "write \(target)")
        }
      } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
    guard fdatasync(file.number) == 0 else { throw SystemError("write \(target)") }
  }
}

extension RecordLine {
  private static let feedersWords = [
    #""event":"position""#, #""event":"feed""#, #""code":"tooMany""#,
    // The protocol's first version has this word.
    #""reason":"tooMany""#,
  ].map { Array($0.utf8) }

  /// Whether the line is a position, an event of a feeder, or a count of its refused records.
  static func isOfFeeders(_ line: ArraySlice<UInt8>) -> Bool {
    line.withUnsafeBytes { contains(feedersWords, in: $0) }
  }

  /// Whether one of these words, which begin with a quote, is there. They can't be in a string: quotes
  /// in strings are escaped.
  static func contains(_ words: [[UInt8]], in text: UnsafeRawBufferPointer) -> Bool {
    words.contains { word in
      text.indices.dropLast(word.count - 1).contains {
        text[$0] == UInt8(ascii: "\"") && memcmp(text.baseAddress! + $0, word, word.count) == 0
      }
    }
  }
}
