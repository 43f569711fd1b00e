import Bridge
import Foundation
import Glibc
import Testing

struct AtomicFileTests {
  @Test func aFileIsReplacedAsAWhole() throws {
    let directory = try TemporaryDirectory()
    let path = directory("figures.prom")
    for text in ["one\n", "", String(repeating: "many\n", count: 100_000)] {
      try AtomicFile.write(text, to: path)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
  }

  @Test func whatCanNotBeWrittenLeavesNothingBehind() throws {
    let directory = try TemporaryDirectory()
    let path = directory("folder")
    try #require(mkdir(path, 0o755) == 0)
    #expect(throws: SystemError("write \(path)", code: EISDIR)) {
      try AtomicFile.write("text", to: path)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["folder"])
  }
}
