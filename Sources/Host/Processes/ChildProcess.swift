package import Glibc

/// Another program that is run to its end.
package enum ChildProcess {
  /// Runs a program of `PATH`. Its output and errors go to a new file, its input is empty.
  ///
  /// - Returns: its exit status; after a signal, 128 plus the signal's number, as in a shell.
  /// - Throws: `ENOENT` when there is no such program.
  package static func run(
    _ arguments: [String],
    output path: String
  ) async throws(SystemError) -> Int32 {
    let result = try await WaitingThread.value { wait(arguments, path) }
    return try result.get()
  }

  private static func wait(_ arguments: [String], _ path: String) -> Result<Int32, SystemError> {
    Result { () throws(SystemError) in
      let process = try spawn(arguments) { files in
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, path, flags, 0o600)
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
      }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 {
        guard errno == EINTR else { throw SystemError("wait for \(arguments[0])") }
      }
      let signal = status & 0x7f
      return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }
  }

  /// Starts a program of `PATH`, without our ignored signals and this thread's signal mask.
  ///
  /// - Parameters:
  ///   - hasOwnGroup: whether the keyboard's signals don't reach it.
  ///   - open: opens its files.
  package static func spawn(
    _ arguments: [String],
    hasOwnGroup: Bool = false,
    files open: (inout posix_spawn_file_actions_t) -> Void
  ) throws(SystemError) -> pid_t {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    open(&files)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group)
    )

    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var process = pid_t()
    let code = posix_spawnp(&process, arguments[0], &files, &attributes, words, environ)
    guard code == 0 else { throw SystemError("run \(arguments[0])", code: code) }
    return process
  }
}
