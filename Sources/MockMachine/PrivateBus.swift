package import Glibc
import Host
import Synchronization

/// A `dbus-daemon` of our own, apart from the system's and the session's buses.
///
/// Nothing is activatable on it, and anybody with our user id may own any name, `org.bluez` too. The
/// daemon ends with ``stop()`` or with the last reference.
package final class PrivateBus: Sendable {
  /// The bus's address, for ``BusAddress`` or `DBUS_SYSTEM_BUS_ADDRESS`. Like the system bus's, it
  /// lacks the GUID of one daemon: another one may come to this place.
  package let address: String
  /// The daemon's process, for tests that stop or kill it. nil once stopped.
  package var processID: pid_t? { process.withLock { $0 } }

  private let directory: String
  private let daemon: String
  private let process: Mutex<pid_t?>

  private init(directory: String, daemon: String, process: pid_t) {
    address = "unix:path=\(directory)/bus"
    self.directory = directory
    self.daemon = daemon
    self.process = Mutex(process)
  }

  deinit {
    stop()
  }

  /// Starts a daemon and returns once it accepts connections. Blocks for some milliseconds.
  /// - Parameter daemon: the program; another one only for tests.
  package static func start(daemon: String = "dbus-daemon") throws -> PrivateBus {
    let directory = try Directory.makeTemporary(named: "ballmachine-bus")
    do {
      let configuration = Array(configurationText(directory: directory).utf8)
      try ReplacedFile.write(configuration, to: directory + "/bus.conf")
      let process = try launch(daemon, in: directory)
      return PrivateBus(directory: directory, daemon: daemon, process: process)
    } catch {
      Directory.removeAll(directory)
      throw error
    }
  }

  private static func launch(_ daemon: String, in directory: String) throws -> pid_t {
    let (process, output) = try spawn(daemon, in: directory)
    // The daemon prints its address when it listens, and closes the socket when it fails.
    guard isWritten(to: output.number) else {
      kill(process, SIGKILL)
      reap(process)
      throw PrivateBusError("dbus-daemon did not begin to listen: \(log(in: directory))")
    }
    return process
  }

  /// Kills the daemon and starts another one at the same address, as when the bus restarts.
  ///
  /// - Parameter gap: what happens in between.
  package func restart(after gap: () async throws -> Void) async throws {
    guard let old = process.withLock(\.self) else {
      throw PrivateBusError("the bus has been stopped")
    }
    kill(old, SIGKILL)
    PrivateBus.reap(old)
    process.withLock { $0 = nil }
    try await gap()
    let new = try PrivateBus.launch(daemon, in: directory)
    process.withLock { $0 = new }
  }

  /// Kills the daemon, reaps it and removes its files. Idempotent.
  package func stop() {
    let stopped = process.withLock { process in
      defer { process = nil }
      return process
    }
    guard let stopped else { return }
    kill(stopped, SIGKILL)
    PrivateBus.reap(stopped)
    Directory.removeAll(directory)
  }
}

/// Why there is no private bus.
package struct PrivateBusError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension PrivateBus {
  /// No limits but dbus-daemon's own, which are those of Debian's system bus. No service
  /// directories: nothing is started behind a test's back.
  private static func configurationText(directory: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <keep_umask/>
      <listen>unix:path=\(directory)/bus</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>

    """
  }

  /// What the daemon said, mostly that it can't raise a limit that is not needed.
  private static func log(in directory: String) -> String {
    String(
      decoding: (try? InputFile.bytes(directory + "/log", longest: 65_536)) ?? [],
      as: UTF8.self
    )
  }

  /// Starts `dbus-daemon` with its address coming through the returned socket.
  private static func spawn(
    _ daemon: String,
    in directory: String
  ) throws -> (pid_t, output: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    // Not a pipe: this one is close-on-exec from its first moment, so that a daemon that another
    // thread starts meanwhile can't inherit it.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SystemError("make a socket for dbus-daemon's address")
    }
    let output = FileDescriptor(owning: ends[0])
    defer { close(ends[1]) }
    let addressDescriptor: Int32 = 3
    let arguments = [
      daemon, "--nofork", "--nopidfile", "--nosyslog", "--print-address=\(addressDescriptor)",
      "--config-file=\(directory)/bus.conf",
    ]
    do throws(SystemError) {
      // A group of its own: an interrupt from the terminal must not kill the bus before we have
      // used it to say goodbye.
      let process = try ChildProcess.spawn(arguments, hasOwnGroup: true) { files in
        // Should both be the same, glibc clears close-on-exec instead.
        posix_spawn_file_actions_adddup2(&files, ends[1], addressDescriptor)
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        // A reader of our output must see its end with ours, even where we are killed.
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        let flags = O_WRONLY | O_CREAT
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, directory + "/log", flags, 0o600)
      }
      return (process, output)
    } catch {
      guard error.code == ENOENT else { throw error }
      throw PrivateBusError(
        "dbus-daemon was not found: install Debian's dbus-daemon package"
          + " (apt-get install dbus-daemon)."
      )
    }
  }

  /// The longest start of a daemon, in milliseconds; it needs some ten.
  private static let longestStart: Int32 = 10_000

  /// Whether something comes: false if the other end closes or stays silent.
  private static func isWritten(to descriptor: Int32) -> Bool {
    var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var ready: Int32
    repeat { ready = poll(&file, 1, longestStart) } while ready < 0 && errno == EINTR
    var byte: UInt8 = 0
    return ready > 0 && read(descriptor, &byte, 1) == 1
  }

  private static func reap(_ process: pid_t) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  }
}
