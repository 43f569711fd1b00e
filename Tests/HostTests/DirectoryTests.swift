import Glibc
import Host
import TestSupport
import Testing

struct DirectoryTests {
  private let base: TemporaryDirectory

  init() throws {
    base = try TemporaryDirectory()
  }

  @Test func namesAreWhatIsInIt() throws {
    try #require(mkdir(base("sub"), 0o755) == 0)
    _ = try base.write("", to: "sub/.hidden")
    _ = try base.write("", to: "sub/file")
    #expect(try Directory.names(in: base("sub")).sorted() == [".hidden", "file"])
    let error = #expect(throws: SystemError.self) { try Directory.names(in: base("none")) }
    #expect(error?.code == ENOENT)
  }

  @Test func theFolderOfAFileIsSyncedWhetherItIsThereOrNot() throws {
    _ = try base.write("", to: "file")
    try #require(mkdir(base("sub"), 0o755) == 0)
    for name in ["file", "removed", "sub", "sub/", "sub/new"] {
      #expect(Directory.flush(holding: base(name)), "\(name)")
    }
    #expect(!Directory.flush(holding: base("file/x")))
    #expect(!Directory.flush(holding: base("none/x")))
  }

  @Test func aLinkSaysWhereItLeads() throws {
    try #require(symlink("../of/nothing", base("link")) == 0)
    _ = try base.write("", to: "file")
    #expect(Directory.target(ofLink: base("link")) == "../of/nothing")
    #expect(Directory.target(ofLink: base("file")) == nil)
    #expect(Directory.target(ofLink: base("none")) == nil)
  }

  @Test func whatALinkLeadsToIsNotRemoved() throws {
    try #require(mkdir(base("kept"), 0o755) == 0)
    _ = try base.write("", to: "kept/file")
    try #require(mkdir(base("tree"), 0o755) == 0 && mkdir(base("tree/sub"), 0o755) == 0)
    _ = try base.write("", to: "tree/sub/file")
    try #require(symlink(base("kept"), base("tree/sub/link")) == 0)
    Directory.removeAll(base("tree"))
    #expect(access(base("tree"), F_OK) != 0)
    #expect(access(base("kept/file"), F_OK) == 0)
  }
}
