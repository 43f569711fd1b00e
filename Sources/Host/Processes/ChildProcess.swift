package import Glibc

/// Another program that is run to its end.
package enum ChildProcess {
  /// How a program ended, and what it wrote.
  package struct End: Hashable, Sendable {
    /// The program's exit status; after a signal, 128 plus the signal's number, as in a shell.
    package var status: Int32
    /// What it wrote to its standard error.
    package var errors = ""
    /// Where it was asked for.
    package var output: [UInt8] = []

    /// The last line of ``errors``.
    package var complaint: String? { errors.split(separator: "\n").last.map(String.init) }
  }

  /// Runs a program of `PATH` without input and output, in a process group of its own, which is
  /// killed when the task is cancelled.
  ///
  /// - Throws: `ENOENT` when there is no such program.
  package static func runUnlessCancelled(
    _ arguments: [String]
  ) async throws(SystemError) -> End {
    let group = ProcessGroup()
    return try await end(of: group) { () throws(SystemError) in
      try group.run(arguments)
    }
  }

  /// Runs a program without input, in a process group of its own, and returns what it prints. One whose
  /// task is cancelled is killed.
  ///
  /// - Parameters:
  ///   - longest: in bytes; one that prints more is killed.
  ///   - limit: one that takes longer is killed.
  package static func output(
    of arguments: [String],
    longest: Int,
    within limit: Duration
  ) async throws(SystemError) -> End {
    let group = ProcessGroup()
    let deadline = OneThread.task {
      guard (try? await SystemClock().sleep(for: limit)) != nil else { return }
      group.kill()
    }
    defer { deadline.cancel() }
    return try await end(of: group) { () throws(SystemError) in
      try group.run(arguments, longest: longest)
    }
  }

  /// Waits for a group's end on a thread of its own; kills it when the task is cancelled.
  private static func end(
    of group: ProcessGroup,
    _ run: @escaping @Sendable () throws(SystemError) -> End
  ) async throws(SystemError) -> End {
    let result = await withTaskCancellationHandler {
      do throws(SystemError) {
        return try await WaitingThread.value { Result { () throws(SystemError) in try run() } }
      } catch {
        return .failure(error)
      }
    } onCancel: {
      group.kill()
    }
    return try result.get()
  }

  /// Waits for a process's end.
  ///
  /// - Returns: as in ``End``.
  fileprivate static func status(
    of process: pid_t,
    _ program: String
  ) throws(SystemError) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw SystemError("wait for \(program)") }
    }
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
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

/// A child and its descendants, which another thread may kill.
private final class ProcessGroup: Sendable {
  private struct State {
    /// Nil before its start, and once its number may be another one's.
    var leader: pid_t?
    var isKilled = false
  }

  private let state = Locked(State())

  func kill() {
    state.withLock { state in
      state.isKilled = true
      if let leader = state.leader { _ = Glibc.kill(-leader, SIGKILL) }
    }
  }

  /// Runs a program to its end.
  ///
  /// - Parameter longest: how much of its output is taken; nil: none.
  func run(_ arguments: [String], longest: Int? = nil) throws(SystemError) -> ChildProcess.End {
    let errors = try FileDescriptor.pipe()
    try errors.reading.setNonBlocking()
    var results: (reading: FileDescriptor, writing: FileDescriptor)?
    if longest != nil { results = try FileDescriptor.pipe() }
    let process = try ChildProcess.spawn(arguments, hasOwnGroup: true) { files in
      posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      if let results {
        posix_spawn_file_actions_adddup2(&files, results.writing.number, STDOUT_FILENO)
      } else {
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      }
      posix_spawn_file_actions_adddup2(&files, errors.writing.number, STDERR_FILENO)
    }
    state.withLock { state in
      state.leader = process
      if state.isKilled { _ = Glibc.kill(-process, SIGKILL) }
    }
    let reading = results?.reading
    // The child alone writes now: its end is the output's.
    results = nil
    let output = reading.map { read($0, atMost: longest ?? 0) } ?? []
    var ended = siginfo_t()
    // Until its status is collected, no other process gets its number.
    while waitid(P_PID, id_t(process), &ended, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { $0.leader = nil }
    let status = try ChildProcess.status(of: process, arguments[0])
    // The process's descendants may still have the pipe, so the pipe's end isn't waited for.
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = max(0, Glibc.read(errors.reading.number, &bytes, bytes.count))
    let complaints = String(decoding: bytes[..<count], as: UTF8.self)
    return ChildProcess.End(status: status, errors: complaints, output: output)
  }

  /// What comes until all who write have ended; one byte too much ends the group.
  private func read(_ pipe: FileDescriptor, atMost longest: Int) -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(pipe.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      guard output.count + count <= longest else {
        kill()
        return output
      }
      output += buffer.prefix(count)
    }
  }
}
