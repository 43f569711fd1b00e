import FoundationEssentials
import Glibc
import Host
import Programs
import TestSupport
import Testing

@testable import ballmachine

struct OutputFileTests {
  @Test func aFileIsReplacedAsAWhole() throws {
    let folder = try TemporaryDirectory()
    let path = folder("figures.prom")
    try OutputFile.replace(path, with: "a 1\n")
    // Whoever has the old file open keeps it.
    let old = open(path, O_RDONLY)
    defer { close(old) }
    try OutputFile.replace(path, with: "a 2\nb 3\n")
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(old, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "a 1\n")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a 2\nb 3\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["figures.prom"])
  }

  @Test func noOtherFileIsTouched() throws {
    let folder = try TemporaryDirectory()
    let other = try folder.write("mine", to: "session.svg.new")
    try ReplacedFile.write(Array("<svg/>".utf8), to: folder("session.svg"))
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
  }

  /// As root, /dev/null itself would become a file.
  @Test func aDeviceIsWrittenToAndStays() throws {
    #expect { try OutputFile.replace("/dev/full", with: "a 1\n") } throws: { error in
      "\(error)" == "/dev/full: can't be written: No space left on device"
    }
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type]
    #expect(type as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test func aFolderIsSaidToBeOne() throws {
    let folder = try TemporaryDirectory()
    #expect { try OutputFile.replace(folder.path, with: "a 1\n") } throws: {
      "\($0)" == "\(folder.path): can't be written: Is a directory"
    }
  }

  @Test(arguments: [("/proc/none/figures.prom", ExitCode.inputOutput)])
  func whereItCannotBeWrittenItSaysSo(_ path: String, _ code: ExitCode) {
    #expect { try OutputFile.replace(path, with: "") } throws: { error in
      (error as? Failure)?.code == code && "\(error)".hasPrefix(path)
    }
  }
}
