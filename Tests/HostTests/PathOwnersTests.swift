import Glibc
import TestSupport
import Testing

@testable import Host

/// Whom the way to a directory lets one believe there.
@Suite(.enabled(if: geteuid() == 0, "only root can give directories away"))
struct PathOwnersTests {
  private let base: TemporaryDirectory

  init() throws {
    base = try TemporaryDirectory()
    try #require(chmod(base.path, 0o755) == 0)
  }

  private func make(_ name: String, _ mode: mode_t, of user: UInt32 = 0) throws {
    try #require(mkdir(base(name), 0o700) == 0)
    try #require(chmod(base(name), mode) == 0 && chown(base(name), user, user) == 0)
  }

  @Test func whomRootHasGivenADirectoryIsBelievedThere() throws {
    try make("run", 0o755)
    try make("run/service", 0o755, of: 4711)
    let owners = PathOwners(of: base("run/service"), userID: 1000)
    #expect(owners.trusted == [0, 1000, 4711] && owners.weakness == nil && owners.isOpenToAll)
    try make("run/user", 0o700, of: 4712)
    #expect(!PathOwners(of: base("run/user"), userID: 1000).isOpenToAll)
  }

  @Test func whoHasMadeADirectoryInAPlaceForAllIsAStranger() throws {
    try make("tmp", 0o1777)
    try make("tmp/own", 0o755, of: 4711)
    let stranger = PathOwners(of: base("tmp/own"), userID: 1000)
    #expect(stranger.trusted == [0, 1000])
    #expect(stranger.weakness == "\(base("tmp/own")) belongs to the user 4711")
    #expect(PathOwners(of: base("tmp/own"), userID: 4711).weakness == nil)
    #expect(PathOwners(of: base("tmp"), userID: 1000).weakness == nil)
  }

  @Test func aDirectoryThatOthersMayWriteToMakesAllBelowItUncertain() throws {
    try make("open", 0o777)
    try make("open/own", 0o755, of: 4711)
    let owners = PathOwners(of: base("open/own"), userID: 1000)
    #expect(owners.trusted == [0, 1000])
    #expect(owners.weakness == "others may write to \(base("open"))")
  }

  @Test func linksOnTheWayAreFollowedAndOneAtItsEndIsNot() throws {
    try make("real", 0o755, of: 4711)
    try make("real/own", 0o755, of: 4711)
    try #require(symlink(base("real"), base("link")) == 0)
    #expect(PathOwners(of: base("link/own"), userID: 1000).trusted == [0, 1000, 4711])
    #expect(
      PathOwners(of: base("link"), userID: 1000).weakness == "\(base("link")) is not a directory"
    )
    #expect(PathOwners(of: base("none/at/all"), userID: 1000).weakness == nil)
    try #require(symlink("../real", base("real/up")) == 0)
    #expect(PathOwners(of: base("real/up/own"), userID: 1000).trusted == [0, 1000, 4711])
    try #require(symlink("loop", base("loop")) == 0)
    #expect(PathOwners(of: base("loop/own"), userID: 1000).trusted == [0, 1000])
  }

  /// The directory behind it is safe, and may be another one in the next moment.
  @Test(arguments: ["tmp/link", "tmp/own/link"])
  func aStrangersLinkInAPlaceForAllMakesTheWayUncertain(_ link: String) throws {
    try make("tmp", 0o1777)
    try make("tmp/own", 0o1777)
    try make("service", 0o755)
    try make("service/own", 0o755, of: 4711)
    try #require(symlink(base("service"), base(link)) == 0)
    #expect(PathOwners(of: base(link + "/own"), userID: 1000).trusted == [0, 1000, 4711])
    try #require(lchown(base(link), 4712, 4712) == 0)
    let owners = PathOwners(of: base(link + "/own"), userID: 1000)
    #expect(owners.trusted == [0, 1000])
    #expect(owners.weakness == "\(base(link)) belongs to the user 4712")
  }
}
