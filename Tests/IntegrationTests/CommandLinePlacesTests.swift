import Foundation
import Glibc
import TestSupport
import Testing

/// Where a bridge is sought, and who is believed there.
@Suite(.onEitherSetup, .mustEnd)
struct CommandLinePlacesTests {
  private static let asRoot = ConditionTrait.enabled(
    if: geteuid() == 0,
    "only root can be several users"
  )

  /// A stranger's socket that answers every stop with a success.
  @Test(asRoot, arguments: [mode_t(0o755), 0o777])
  func aStrangersAnswerIsNotBelieved(_ mode: mode_t) async throws {
    try await CommandLineSetup.with { setup in
      try #require(chmod(setup.directory, 0o777) == 0)
      var impostor = try setup.start([], script: Self.impostor)
      _ = try await impostor.next("up")
      try #require(chmod(setup.directory, mode) == 0)
      if mode == 0o755 { try #require(chown(setup.directory, 65_534, 65_534) == 0) }
      let stop = try await setup.run(["stop"])
      #expect(stop.code == 69 && stop.output == "", "\(stop)")
      #expect(stop.errors.contains("NOTHING was stopped"), "\(stop)")
      #expect(stop.errors.contains("the user nobody listens there"), "\(stop)")
      for command in [["status"], ["arm"], ["send", "--yes", "--zone", "1"]] {
        let result = try await setup.run(command)
        #expect(result.code == 69 && result.errors.contains("the user nobody"), "\(result)")
      }
      let doctor = try await setup.run(["doctor", "--bus", setup.address])
      #expect(doctor.output.contains("other users may create sockets"), "\(doctor)")
      let serve = try await setup.run(["serve", "--bus", setup.address])
      #expect(serve.code == 77 && serve.errors.contains("not a safe place"), "\(serve)")
    }
  }

  private static let impostor = #"""
    exec setpriv --reuid 65534 --clear-groups perl -MIO::Socket::UNIX -MIO::Select -e '
      $| = 1;
      $SIG{PIPE} = "IGNORE";
      my $servers = IO::Select->new;
      for my $name ("control", "stop") {
        my $path = "$ENV{BALLMACHINE_RUNTIME_DIR}/$name.sock";
        $servers->add(IO::Socket::UNIX->new(Local => $path, Listen => 5) or die $!);
      }
      print "{\"event\":\"up\",\"t\":0}\n";
      while (1) {
        for my $server ($servers->can_read) {
          my $client = $server->accept;
          print $client "{\"outcome\":\"confirmed\",\"reason\":\"trust me\"}\n";
        }
      }'
    """#

  /// A user without the role learns which group it takes, not of the group for a step before it.
  @Test(
    asRoot,
    arguments: [
      (["send", "--zone", "1-1"], ""), (["send", "--yes", "--zone", "1-1"], ""),
      (["send", "--yes", "110001060014004500"], ""), (["console", "--yes"], "zone 1-1"),
    ]
  )
  func aUserWithoutTheRoleIsSentToTheTechnicians(
    _ arguments: [String],
    _ input: String
  ) async throws {
    try await CommandLineSetup.with { setup in
      try await setup.withoutMachines()
      try #require(chmod(setup.directory, 0o755) == 0)
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("start")
      let outsider = #"echo "\#(input)" | exec setpriv --reuid 65534 --clear-groups "$@""#
      let result = try await setup.run(arguments, script: outsider)
      #expect(result.code == 77 && result.output == "", "\(result)")
      let message = "send is for the group ballmachine-technician: run `adduser"
      #expect(result.errors.contains(message), "\(result)")
      // A stop needs no role.
      let stop = try await setup.run(["send", CourtFacts.stop], script: outsider)
      #expect(stop.code == 69 && stop.errors.contains("use its switch"), "\(stop)")
      let arm = try await setup.run(["arm"], script: outsider)
      let operators = "arm is for the group ballmachine-operator: run `adduser"
      #expect(arm.code == 77 && arm.errors.contains(operators), "\(arm)")
      _ = try await serve.terminate()
    }
  }

  /// A logout, or a cleaner of temporary files.
  @Test func socketsThatAreRemovedAreThereAgain() async throws {
    try await CommandLineSetup.with { setup in
      let mock = try await setup.mock()
      var serve = try setup.start(["serve", "--json", "--bus", setup.address])
      _ = try await serve.next("link", state: "ready")
      for names in [["stop.sock"], ["control.sock", "machine.lock"], ["positions.sock"]] {
        for name in names { try #require(unlink(setup.path(name)) == 0) }
        for name in names { try await setup.appears(name) }
        #expect(try await setup.run(["status"]).code == 0)
      }
      // Another program's socket in its place is not fought over; the stop gets through all the same.
      let path = setup.path("stop.sock")
      try #require(unlink(path) == 0)
      try await setup.appears("stop.sock")
      let stop = try await setup.run(["stop"])
      #expect(stop.code == 0, "\(stop)")
      _ = try await serve.next("safety", state: "stopped")
      #expect(try await serve.terminate().code == 0)
      _ = try await mock.terminate()
    }
  }

  @Test(arguments: ["control.sock", "stop.sock", "positions.sock"])
  func aPlaceThatIsTakenIsOneKindOfTrouble(_ name: String) async throws {
    try await CommandLineSetup.with { setup in
      _ = try setup.write("precious", to: name)
      let result = try await setup.run(["serve", "--bus", setup.address])
      #expect(result.code == 73, "\(result)")
      #expect(result.errors.contains("\(setup.path(name)) exists and is not a socket"))
    }
  }

  @Test(arguments: [
    ("relative", 73, "give a path that begins with /"), ("/etc/passwd", 73, "is not a directory"),
    ("/proc/none/below", 73, "No such file"),
    ("/tmp/" + String(repeating: "x", count: 100), 73, "too long for a socket"),
  ])
  func aFolderThatCannotBeUsedIsTheSameKind(
    _ path: String,
    _ code: Int32,
    _ message: String
  ) async throws {
    defer { rmdir(path) }
    let result = try await BuiltProgram.run(
      ["serve"],
      environment: ["BALLMACHINE_RUNTIME_DIR": path]
    )
    #expect(result.code == code && result.errors.contains(message), "\(result)")
  }
}
