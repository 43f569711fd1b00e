import Dispatch
package import Glibc
import Host

/// The built program while it runs.
///
/// (Foundation's `Process` leaks on Linux, which the AddressSanitizer's runs would report.)
package final class RunningProgram: Sendable {
  package struct LaunchError: Error {
    package var errno: Int32
  }

  package let processID: pid_t
  /// Its standard output, line by line, as it comes. One reader.
  package let lines: AsyncStream<String>
  private let text = Locked<(all: [UInt8], lineStart: Int)>(([], 0))
  /// The writing end of its standard input, until it is closed.
  private let input: Locked<Int32?>
  private let ending: Task<BuiltProgram.Result, Never>

  /// Without this, whatever configuration the box has would be read.
  private static let standardEnvironment = ["BALLMACHINE_CONFIG": "/dev/null"]

  /// Starts it; see ``BuiltProgram/run(_:input:script:environment:)``.
  package init(
    _ arguments: [String],
    script: String? = nil,
    environment: [String: String] = [:]
  ) throws(LaunchError) {
    // A program that doesn't read its input is no reason to end the tests.
    signal(SIGPIPE, SIG_IGN)
    // With a socket for its input, bash would take itself for a remote shell and read ~/.bashrc.
    let shell = script.map { ["/bin/bash", "--norc", "-c", $0, "bash"] } ?? []
    let command = shell + [BuiltProgram.path]
    let pipes = (try Pipe(), try Pipe(), try Pipe())
    processID = try Self.spawn(
      command + arguments,
      environment: environment.merging(Self.standardEnvironment) { given, _ in given },
      streams: [pipes.0.reading, pipes.1.writing, pipes.2.writing]
    )
    for end in [pipes.0.reading, pipes.1.writing, pipes.2.writing] { close(end) }
    input = Locked(pipes.0.writing)

    let (lines, continuation) = AsyncStream<String>.makeStream()
    self.lines = lines
    let isProgram = script == nil
    ending = Task { [processID, text, output = pipes.1.reading, errors = pipes.2.reading] in
      async let errorText = Self.read(errors, into: Locked(([], 0))) { _ in }
      let outputText = await Self.read(output, into: text) {
        if isProgram, $0.hasPrefix("{") { PrintedRecords.add($0) }
        continuation.yield($0)
      }
      continuation.finish()
      return BuiltProgram.Result(
        code: await Self.exitCode(processID),
        output: outputText,
        errors: await errorText
      )
    }
  }

  deinit { endInput() }

  /// What it has written to its standard output so far, with the line that has no end yet.
  package var output: [UInt8] { text.withLock(\.all) }

  /// Gives it something to read; lost if it has ended.
  package func write(_ text: String) {
    input.withLock { input in
      var rest = Array(text.utf8)[...]
      while let input, !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { return }
        rest = rest.dropFirst(max(count, 0))
      }
    }
  }

  /// Lets it see the end of its input.
  package func endInput() {
    input.withLock { input in
      if let input { close(input) }
      input = nil
    }
  }

  package func send(signal number: Int32) {
    kill(processID, number)
  }

  /// Waits for its end.
  package func result() async -> BuiltProgram.Result {
    await ending.value
  }
}

extension RunningProgram {
  /// A pair of sockets, because `pipe2` is hidden from Swift and `pipe`'s ends would be inherited by
  /// whatever other tests start meanwhile.
  private struct Pipe {
    var reading: Int32
    var writing: Int32

    init() throws(LaunchError) {
      var ends: [Int32] = [-1, -1]
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw LaunchError(errno: errno) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  private static func spawn(
    _ command: [String],
    environment: [String: String],
    streams: [Int32]
  ) throws(LaunchError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    // An ignored SIGPIPE would be inherited.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    )

    let added = environment.map { "\($0)=\($1)" }
    var variables: [UnsafeMutablePointer<CChar>?] = added.map { strdup($0) }
    var inherited = environ
    while let variable = inherited.pointee {
      let name = String(cString: variable).prefix { $0 != "=" }
      if environment[String(name)] == nil { variables.append(strdup(variable)) }
      inherited += 1
    }
    variables.append(nil)
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    words.append(nil)
    defer { for text in variables + words { free(text) } }

    var process = pid_t()
    let status = posix_spawn(&process, command[0], &actions, &attributes, words, variables)
    guard status == 0 else { throw LaunchError(errno: status) }
    return process
  }

  /// Everything until the end of the stream; its lines as they come.
  private static func read(
    _ descriptor: Int32,
    into text: Locked<(all: [UInt8], lineStart: Int)>,
    line: @escaping @Sendable (String) -> Void
  ) async -> String {
    await withCheckedContinuation { continuation in
      IncomingBytes.read(descriptor) { bytes in
        text.withLock { text in
          for byte in bytes {
            text.all.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            line(String(decoding: text.all[text.lineStart...].dropLast(), as: UTF8.self))
            text.lineStart = text.all.count
          }
        }
      } end: {
        close(descriptor)
        let all = text.withLock(\.all)
        continuation.resume(returning: String(decoding: all, as: UTF8.self))
      }
    }
  }

  /// Called when the process has closed its outputs, so that it hardly holds the thread.
  private static func exitCode(_ process: pid_t) async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        continuation.resume(returning: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
      }
    }
  }
}
