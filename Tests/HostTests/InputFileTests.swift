import Glibc
import TestSupport
import Testing

@testable import Host

/// What a program finds is a regular file, or it is not opened; what a person names may also be what
/// a shell passes.
@Suite(.mustEnd) struct InputFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private struct Case: CustomStringConvertible, Sendable {
    var name: String
    var make: @Sendable (String) -> Int32
    /// The bytes that are read where it was found, or named; nil: it is refused.
    var found: [UInt8]?
    var named: [UInt8]?

    var description: String { name }

    init(
      _ name: String,
      _ found: String?,
      _ named: String?,
      _ make: @escaping @Sendable (String) -> Int32
    ) {
      (self.name, self.make) = (name, make)
      (self.found, self.named) = (found.map { Array($0.utf8) }, named.map { Array($0.utf8) })
    }
  }

  private static func write(_ text: String, to path: String) -> Int32 {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    return Glibc.write(file, text, text.utf8.count) == text.utf8.count ? 0 : -1
  }

  private static let cases = [
    Case("empty", "", "") { write("", to: $0) },
    Case("text", "a\n", "a\n") { write("a\n", to: $0) },
    Case("NULs", "a\0b", "a\0b") { write("a\0b", to: $0) },
    Case("link to a regular file", "a", "a") { path in
      write("a", to: path + ".target") == 0 ? symlink(path + ".target", path) : -1
    },
    Case("dangling link", nil, nil) { symlink("nowhere", $0) },
    Case("link to itself", nil, nil) { symlink($0, $0) },
    Case("FIFO", nil, nil) { mkfifo($0, 0o600) },
    Case("link to a FIFO", nil, nil) { path in
      mkfifo(path + ".target", 0o600) == 0 ? symlink(path + ".target", path) : -1
    },
    Case("folder", nil, nil) { mkdir($0, 0o700) },
    Case("socket", nil, nil) { mknod($0, S_IFSOCK | 0o600, 0) },
    Case("link to /dev/zero", nil, nil) { symlink("/dev/zero", $0) },
    Case("link to /dev/null", nil, "") { symlink("/dev/null", $0) },
    Case("sparse", nil, nil) { path in
      write("a", to: path) == 0 ? truncate(path, 1 << 40) : -1
    },
  ]

  @Test(arguments: Self.cases.indices)
  func isReadOrRefused(_ index: Int) throws {
    let one = Self.cases[index]
    let path = folder("file")
    try #require(one.make(path) == 0, "\(one)")
    #expect((try? InputFile.bytes(path, longest: 1000)) == one.found, "\(one)")
    #expect((try? InputFile.bytes(path, .named, longest: 1000)) == one.named, "\(one)")
  }

  /// `<(…)` of a shell.
  @Test func aPipeIsReadOnlyWhereAPersonNamesIt() throws {
    let pipe = try FileDescriptor.pipe()
    #expect(Glibc.write(pipe.writing.number, "a", 1) == 1)
    let path = "/dev/fd/\(pipe.reading.number)"
    #expect(throws: SystemError.self) { try InputFile.bytes(path, longest: 10) }
    // Enough has been read: its end is not waited for.
    #expect(try InputFile.bytes(path, .named, longest: 0) == nil)
  }

  /// Otherwise a log could grow as fast as it is read.
  @Test func whatIsAddedMeanwhileIsLeftOut() throws {
    let path = try folder.write("a", to: "log")
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(file) }
    var pieces: [[UInt8]] = []
    try InputFile.read(path) { piece in
      pieces.append(Array(piece))
      return Glibc.write(file, "b", 1) == 1 && pieces.count < 10
    }
    #expect(pieces == [[UInt8(ascii: "a")]])
  }
}
