import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

struct RuntimeDirectoryTests {
  private let base: TemporaryDirectory

  init() throws {
    base = try TemporaryDirectory()
    for name in ["run", "tmp", "home"] { try #require(mkdir(base(name), 0o755) == 0) }
  }

  @Test(
    arguments: [
      (["BALLMACHINE_RUNTIME_DIR": "B/own", "RUNTIME_DIRECTORY": "B/service"], "B/own"),
      (["RUNTIME_DIRECTORY": "B/service", "XDG_RUNTIME_DIR": "B/home"], "B/service"),
      (["RUNTIME_DIRECTORY": "B/first:B/second"], "B/first"),
      (["XDG_RUNTIME_DIR": "B/home"], "B/home/ballmachine"),
      (["XDG_RUNTIME_DIR": "B/missing"], "B/run/ballmachine"),
      (["XDG_RUNTIME_DIR": "home"], "B/run/ballmachine"),
      (["BALLMACHINE_RUNTIME_DIR": "", "XDG_RUNTIME_DIR": ""], "B/run/ballmachine"),
      ([:], "B/run/ballmachine"),
    ] as [([String: String], String)]
  )
  func theFirstThatAppliesIsTaken(environment: [String: String], expected: String) throws {
    func inBase(_ text: String) -> String {
      text.replacingOccurrences(of: "B/", with: base.path + "/")
    }
    for _ in 1...2 {
      let directory = try RuntimeDirectory(
        in: .init(
          variable: { environment[$0].map(inBase) },
          system: base("run"),
          temporary: base("tmp")
        )
      )
      #expect(directory.path == inBase(expected))
      #expect(directory.path(of: "x.sock") == inBase(expected) + "/x.sock")
      var status = stat()
      try #require(lstat(directory.path, &status) == 0)
      // Anybody may come to the socket of a service in /run, to stop the machine.
      let mode: mode_t = expected == "B/run/ballmachine" ? 0o755 : 0o750
      #expect(status.st_mode & 0o7777 == mode)
    }
  }

  @Test func theTemporaryDirectoryIsTheLastAndMustBeOurs() throws {
    let path = base("tmp/ballmachine-\(geteuid())")
    func make() throws -> RuntimeDirectory {
      try RuntimeDirectory(
        in: .init(variable: { _ in nil }, system: base("none"), temporary: base("tmp"))
      )
    }
    #expect(try make().path == path)
    try #require(chmod(path, 0o770) == 0)
    let open = RuntimeDirectoryError.notSafe(path, "others may write to \(path)")
    #expect(throws: open) { try make() }
    try #require(chmod(path, 0o777) == 0)
    #expect(throws: open) { try make() }
    try #require(rmdir(path) == 0)
    try #require(symlink(base("home"), path) == 0)
    #expect(throws: RuntimeDirectoryError.notADirectory(path)) { try make() }
    try #require(unlink(path) == 0)
    try #require(mkdir(path, 0o750) == 0)
    let other = base("tmp/ballmachine-\(geteuid() + 1)")
    #expect(throws: RuntimeDirectoryError.notSafe(other, "it belongs to another user")) {
      try RuntimeDirectory(
        in: .init(
          variable: { _ in nil },
          userID: geteuid() + 1,
          system: base("none"),
          temporary: base("tmp")
        )
      )
    }
  }

  @Test(arguments: [nil, "given"])
  func aSimulationAndABridgeNeverShareADirectory(_ given: String?) throws {
    func variable(_ name: String) -> String? {
      name == "BALLMACHINE_RUNTIME_DIR" ? given.map { base($0) } : nil
    }
    func simulation(isMade: Bool, userID: UInt32 = geteuid()) throws -> RuntimeDirectory {
      try RuntimeDirectory.ofSimulation(
        isMade: isMade,
        in: .init(variable: variable, userID: userID, temporary: base("tmp"))
      )
    }
    let made = try simulation(isMade: true)
    #expect(try simulation(isMade: false).path == made.path)
    var status = stat()
    try #require(lstat(made.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
    #expect(made.lock == made.path + "/machine.lock")
    let candidates = RuntimeDirectory.Environment(
      variable: variable,
      system: base("none"),
      temporary: base("tmp")
    ).candidates
    #expect(!candidates.contains(made.path))
    // Nor does a bridge or its client go there when a variable says so.
    let wrong = RuntimeDirectoryError.ofSimulation(
      variable: "BALLMACHINE_RUNTIME_DIR",
      made.path
    )
    func there(_ name: String) -> String? { name == "BALLMACHINE_RUNTIME_DIR" ? made.path : nil }
    #expect(throws: wrong) { try RuntimeDirectory(in: .init(variable: there)) }
    #expect(throws: wrong) { try RuntimeDirectory.ofRunningBridge(in: .init(variable: there)) }
    try #require(chmod(made.path, 0o777) == 0)
    #expect(throws: RuntimeDirectoryError.self) { try simulation(isMade: true) }
  }

  @Test func anotherUsersHomeIsNotTaken() throws {
    let directory = try RuntimeDirectory(
      in: .init(
        variable: { $0 == "XDG_RUNTIME_DIR" ? base("home") : nil },
        userID: geteuid() + 1,
        system: base("run"),
        temporary: base("tmp")
      )
    )
    #expect(directory.path == base("run/ballmachine"))
  }

  @Test func aGivenDirectoryThatDoesNotWorkIsAnError() throws {
    #expect(
      throws: RuntimeDirectoryError.notAbsolute(variable: "BALLMACHINE_RUNTIME_DIR", "here")
    ) {
      try RuntimeDirectory(in: .init(variable: { $0 == "BALLMACHINE_RUNTIME_DIR" ? "here" : nil }))
    }
    let missing = base("none/below")
    do {
      _ = try RuntimeDirectory(in: .init(variable: { $0 == "RUNTIME_DIRECTORY" ? missing : nil }))
      Issue.record("the directory was made")
    } catch {
      #expect(
        "\(error)" == "can't create the runtime directory \(missing): No such file or directory"
          + " (BALLMACHINE_RUNTIME_DIR sets another one)"
      )
    }
    let file = try base.write("", to: "file")
    #expect(throws: RuntimeDirectoryError.notADirectory(file)) {
      try RuntimeDirectory(in: .init(variable: { $0 == "RUNTIME_DIRECTORY" ? file : nil }))
    }
  }

  @Test(arguments: ["own", "outer/own"], [mode_t(0o777), 0o775, 0o757])
  func whereOthersMayWriteNoSocketsAreMade(place: String, mode: mode_t) throws {
    let open = base(place.hasPrefix("outer") ? "outer" : "own")
    try #require(mkdir(open, 0o755) == 0 && chmod(open, mode) == 0)
    let path = base(place)
    let variable: (String) -> String? = { $0 == "BALLMACHINE_RUNTIME_DIR" ? path : nil }
    let error = RuntimeDirectoryError.notSafe(path, "others may write to \(open)")
    #expect(throws: error) { try RuntimeDirectory(in: .init(variable: variable)) }
    #expect("\(error)".contains("chmod go-w"))
    // What stops a machine takes what there is.
    #expect(throws: Never.self) {
      try RuntimeDirectory(in: .init(variable: variable), isChecked: false)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func aStrangersDirectoryIsNoPlaceForSockets() throws {
    try #require(chmod(base("tmp"), 0o1777) == 0)
    let path = base("tmp/own")
    try #require(mkdir(path, 0o755) == 0 && chown(path, 4711, 4711) == 0)
    let variable: (String) -> String? = { $0 == "BALLMACHINE_RUNTIME_DIR" ? path : nil }
    #expect(
      throws: RuntimeDirectoryError.notSafe(path, "\(path) belongs to the user 4711")
    ) { try RuntimeDirectory(in: .init(variable: variable)) }
  }

  @Test func anInstalledServicesDirectoryIsEverybodys() throws {
    let service = base("run/ballmachine")
    try #require(mkdir(service, 0o755) == 0)
    let directory = try RuntimeDirectory(
      in: .init(
        variable: { $0 == "XDG_RUNTIME_DIR" ? base("home") : nil },
        system: base("run"),
        temporary: base("tmp")
      )
    )
    #expect(directory.path == service)
    #expect(access(base("home/ballmachine"), F_OK) != 0)
  }

  @Test func whoOnlyConnectsMakesNothingAndFindsWhatIsThere() throws {
    func find(_ environment: [String: String] = [:]) throws -> String {
      try RuntimeDirectory.ofRunningBridge(
        in: .init(variable: { environment[$0] }, system: base("run"), temporary: base("tmp"))
      ).path
    }
    let home = ["XDG_RUNTIME_DIR": base("home")]
    let last = base("tmp/ballmachine-\(geteuid())")
    // With nothing there, it is the service that is missing.
    #expect(try find(home) == base("run/ballmachine"))
    #expect(access(base("run/ballmachine"), F_OK) != 0)
    try #require(mkdir(last, 0o700) == 0)
    #expect(try find(home) == last)
    try #require(mkdir(base("home/ballmachine"), 0o750) == 0)
    #expect(try find(home) == base("home/ballmachine"))
    // A directory in which somebody else may lie in wait is not looked into.
    try #require(chmod(base("home/ballmachine"), 0o777) == 0)
    #expect(try find(home) == last)
    try #require(mkdir(base("run/ballmachine"), 0o555) == 0)
    #expect(try find(home) == base("run/ballmachine"))
    #expect(try find(["BALLMACHINE_RUNTIME_DIR": "/own"]) == "/own")
    #expect(throws: RuntimeDirectoryError.notAbsolute(variable: "RUNTIME_DIRECTORY", "here")) {
      try find(["RUNTIME_DIRECTORY": "here"])
    }
  }

  @Test(
    arguments: [
      (["BALLMACHINE_RUNTIME_DIR": "/own", "RUNTIME_DIRECTORY": "/service"], ["/own"]),
      (["RUNTIME_DIRECTORY": "/first:/second"], ["/first"]),
      (
        ["XDG_RUNTIME_DIR": "/home"],
        ["/run/ballmachine", "/home/ballmachine", "/tmp/ballmachine-1000"]
      ),
      ([:], ["/run/ballmachine", "/tmp/ballmachine-1000"]),
    ] as [([String: String], [String])]
  )
  func whereABridgeMayHaveItIsKnownWithoutMakingIt(
    environment: [String: String],
    expected: [String]
  ) {
    #expect(
      RuntimeDirectory.Environment(variable: { environment[$0] }, userID: 1000).candidates
        == expected
    )
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func anInstalledServicesLockIsItsOwn() throws {
    let service = base("run/ballmachine")
    try #require(mkdir(service, 0o755) == 0 && chown(service, 4711, 4711) == 0)
    let directory = try RuntimeDirectory(
      in: .init(variable: { _ in nil }, system: base("run"), temporary: base("tmp"))
    )
    #expect(directory.lock == service + "/machine.lock")
  }
}
