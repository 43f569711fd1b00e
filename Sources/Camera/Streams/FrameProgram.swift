import Glibc
import Host

/// A child that writes frames to its standard output, in a process group of its own. It ends with this
/// object, and with this process, however that ends.
final class FrameProgram {
  /// What it was asked to run, without arguments, which may hold secrets.
  let name: String
  let output: FileDescriptor
  /// What it writes to its descriptor 3.
  let notes: FileDescriptor?
  let errors: FileDescriptor
  /// What it said last, the oldest first.
  private(set) var complaints: [String] = []

  private let process: pid_t
  private var lines = LineSplitter(longest: longestLine)
  private var status: Int32?

  private static let longestLine = 1_000
  private static let mostLines = 20
  /// How long it may take to let go of a camera once it is asked to end.
  private static let patience = 50

  /// - Parameters:
  ///   - arguments: the program, of `PATH`, and what it gets.
  ///   - input: what it reads from its standard input; at most what a pipe holds.
  ///   - hasNotes: whether it has a descriptor 3 to write to.
  init(
    _ arguments: [String],
    input: [UInt8] = [],
    hasNotes: Bool = false
  ) throws(CameraProblem) {
    name = arguments[0]
    if let problem = CameraProblem.ofMissing(name) { throw problem }
    do throws(SystemError) {
      let source = try FileDescriptor.pipe()
      let output = try FileDescriptor.pipe()
      let errors = try FileDescriptor.pipe()
      let notes = hasNotes ? try FileDescriptor.pipe() : nil
      try errors.reading.setNonBlocking()
      try writeAll(input, to: source.writing.number, "write to \(name)")
      process = try ChildProcess.spawn(Self.bound(arguments), hasOwnGroup: true) { files in
        posix_spawn_file_actions_adddup2(&files, source.reading.number, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&files, output.writing.number, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&files, errors.writing.number, STDERR_FILENO)
        // The last one, in case one of the above has its number.
        if let notes { posix_spawn_file_actions_adddup2(&files, notes.writing.number, 3) }
      }
      (self.output, self.errors, self.notes) = (output.reading, errors.reading, notes?.reading)
    } catch {
      throw CameraProblem(.programEnded, arguments[0], error.description)
    }
  }

  deinit {
    guard status == nil else { return }
    Self.end(process)
  }

  /// The same program, killed by the kernel when this thread ends.
  private static func bound(_ arguments: [String]) -> [String] {
    guard path(of: "setpriv") != nil else { return arguments }
    return ["setpriv", "--pdeathsig", "KILL"] + arguments
  }

  /// - Returns: nil if there is no such program.
  static func path(of name: String) -> String? {
    guard !name.contains("/") else { return access(name, X_OK) == 0 ? name : nil }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  // MARK: What it says

  /// Reads what it wrote to its standard error. Never waits.
  ///
  /// - Returns: whether more may come.
  @discardableResult
  func readErrors() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    // One that complains without an end gets its turn again.
    for _ in 0..<16 {
      let count = read(errors.number, &buffer, buffer.count)
      if count == 0 {
        lines.finish { [self] _, content in keep(content) }
        return false
      }
      guard count > 0 else { return true }
      buffer.withUnsafeBytes { bytes in
        lines.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(count))) { [self] _, content in
          keep(content)
        }
      }
    }
    return true
  }

  private func keep(_ content: LineSplitter.Content) {
    switch content {
    case .line(let line), .unterminated(let line):
      let text = String(decoding: line, as: UTF8.self).printable
      guard text.contains(where: { $0 != " " }) else { return }
      complaints.append(text)
      if complaints.count > Self.mostLines { complaints.removeFirst() }
    case .tooLong, .rest: break
    }
  }

  // MARK: Its end

  /// Its exit status, after a signal 128 plus the signal's number; nil while it runs. Once its output
  /// has ended, it has some milliseconds for its end.
  func endStatus() -> Int32? {
    for _ in 0..<10 where status == nil {
      var code: Int32 = 0
      if waitpid(process, &code, WNOHANG) == process {
        let signal = code & 0x7f
        status = signal == 0 ? code >> 8 & 0xff : 128 + signal
        // What it has started.
        kill(-process, SIGKILL)
      } else {
        usleep(1_000)
      }
    }
    return status
  }

  /// Ends the group, and collects its status on a thread of its own: a driver may keep it for long.
  private static func end(_ process: pid_t) {
    kill(-process, SIGTERM)
    // One that is stopped would not see the signal.
    kill(-process, SIGCONT)
    let collect: @Sendable () -> Void = {
      var ended = siginfo_t()
      for _ in 0..<patience {
        // It stays a zombie, whose number no other process gets.
        let result = waitid(P_PID, id_t(process), &ended, WEXITED | WNOHANG | WNOWAIT)
        if result != 0 || ended.si_signo != 0 { break }
        usleep(20_000)
      }
      kill(-process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    do throws(SystemError) { try WaitingThread.start(collect) } catch { kill(-process, SIGKILL) }
  }
}

extension CameraProblem {
  /// - Returns: nil if there is such a program in a folder of `PATH`.
  package static func ofMissing(_ program: String) -> CameraProblem? {
    guard FrameProgram.path(of: program) == nil else { return nil }
    return CameraProblem(
      .needsProgram,
      program,
      "there is no such program",
      remedy: program == FFmpeg.program ? "run `apt install ffmpeg'" : nil
    )
  }
}
