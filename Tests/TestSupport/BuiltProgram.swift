import Glibc

/// The program that was built together with the tests, run as its users run it.
package enum BuiltProgram {
  package struct Result: Sendable {
    /// The exit code; 128 + the signal, as shells have it, if one ended the program.
    package var code: Int32
    package var output: String
    package var errors: String

    /// The lines of the output.
    package var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Beside the test binary, wherever that was built.
  package static let path: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let tests = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init), as: UTF8.self)
    return tests.prefix(through: tests.lastIndex(of: "/") ?? tests.startIndex) + "ballmachine"
  }()

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - input: what it reads from its standard input.
  ///   - script: bash that runs the program as `"$@"`, for pipes and redirections.
  ///   - environment: variables in addition to ours.
  package static func run(
    _ arguments: [String],
    input: String = "",
    script: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> Result {
    let program = try RunningProgram(arguments, script: script, environment: environment)
    program.write(input)
    program.endInput()
    return await program.result()
  }
}
