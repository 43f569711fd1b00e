package import Glibc
import Synchronization

/// A `dbus-daemon` of our own, apart from the system's and the session's buses.
///
/// Nothing is activatable on it, and anybody with our user id may own any name, `org.bluez` too. The
/// daemon ends with ``stop()`` or with the last reference.
package final class PrivateBus: Sendable {
  /// For ``BusAddress`` or `DBUS_SYSTEM_BUS_ADDRESS`. Like the system bus's without the GUID of one
  /// daemon: another one may come to this place.
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
    let directory = try makeDirectory()
    do {
      try write(configurationText(directory: directory), to: directory + "/bus.conf")
      let process = try launch(daemon, in: directory)
      return PrivateBus(directory: directory, daemon: daemon, process: process)
    } catch {
      removeDirectory(directory)
      throw error
    }
  }

  private static func launch(_ daemon: String, in directory: String) throws -> pid_t {
    let (process, output) = try spawn(daemon, in: directory)
    defer { close(output) }
    // The daemon prints its address when it listens, and closes the socket when it fails.
    guard readLine(from: output) != nil else {
      kill(process, SIGKILL)
      reap(process)
      throw PrivateBusError("dbus-daemon ended before it listened: \(log(in: directory))")
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
    PrivateBus.removeDirectory(directory)
  }
}

/// Why there is no private bus.
package struct PrivateBusError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }

  init(_ action: String, errno code: Int32) {
    description = "\(action): \(String(cString: strerror(code)))."
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

  private static func makeDirectory() throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/ballmachine-bus-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw PrivateBusError("No directory for the bus can be made in \(base)", errno: errno)
    }
    return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  private static func removeDirectory(_ directory: String) {
    unlink(directory + "/bus.conf")
    unlink(directory + "/bus")
    unlink(directory + "/log")
    rmdir(directory)
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "we") else {
      throw PrivateBusError("\(path) can't be written", errno: errno)
    }
    let written = fputs(text, file)
    guard fclose(file) == 0, written >= 0 else {
      throw PrivateBusError("\(path) can't be written", errno: errno)
    }
  }

  /// What the daemon said, mostly that it can't raise a limit that is not needed.
  private static func log(in directory: String) -> String {
    guard let file = fopen(directory + "/log", "re") else { return "" }
    defer { fclose(file) }
    var text: [UInt8] = Array(repeating: 0, count: 4096)
    let count = fread(&text, 1, text.count, file)
    return String(decoding: text.prefix(count), as: UTF8.self)
  }

  /// Starts `dbus-daemon` with its address coming through the returned socket.
  private static func spawn(_ daemon: String, in directory: String) throws -> (pid_t, output: Int32)
  {
    var ends: [Int32] = [-1, -1]
    // Not a pipe: this one is close-on-exec from its first moment, so that a daemon that another
    // thread starts meanwhile can't inherit it.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw PrivateBusError("No socket for dbus-daemon's address can be made", errno: errno)
    }
    defer { close(ends[1]) }

    let addressDescriptor: Int32 = 3
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Should both be the same, glibc clears close-on-exec instead.
    posix_spawn_file_actions_adddup2(&actions, ends[1], addressDescriptor)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions,
      STDERR_FILENO,
      directory + "/log",
      O_WRONLY | O_CREAT,
      0o600
    )

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: an interrupt from the terminal must not kill the bus before we have
    // used it to say goodbye. A blocked or ignored signal of ours must not be inherited either.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    )

    let arguments = [
      "dbus-daemon", "--nofork", "--nopidfile", "--nosyslog",
      "--print-address=\(addressDescriptor)", "--config-file=\(directory)/bus.conf",
    ]
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, daemon, &actions, &attributes, &pointers, environ)
    guard failure == 0 else {
      close(ends[0])
      if failure == ENOENT {
        throw PrivateBusError(
          "dbus-daemon was not found: install Debian's dbus-daemon package"
            + " (apt-get install dbus-daemon)."
        )
      }
      throw PrivateBusError("dbus-daemon can't be started", errno: failure)
    }
    return (process, ends[0])
  }

  /// The first line, nil when the other end closes before it is complete.
  private static func readLine(from descriptor: Int32) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }

  private static func reap(_ process: pid_t) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  }
}
