package import Foundation

/// The program that was built together with the tests, run as its users run it.
package struct BuiltProgram: Sendable {
  package struct Result: Sendable {
    package var code: Int32
    package var output: String
    package var errors: String

    /// The lines of the output.
    package var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Beside the test binary, wherever that was built.
  package static let url = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "ballmachine")

  /// Runs the program to its end.
  ///
  /// - Parameter script: bash that runs the program as `"$@"`, for pipes and redirections.
  package static func run(
    _ arguments: [String],
    input: String = "",
    script: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> Result {
    let process = Process()
    process.executableURL = script == nil ? url : URL(filePath: "/bin/bash")
    process.arguments = (script.map { ["-c", $0, "bash", url.path] } ?? []) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError

    let (ended, end) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { end.yield($0.terminationStatus) }
    try process.run()
    async let output = readAll(standardOutput)
    async let errors = readAll(standardError)
    await writeAll(input, to: standardInput)
    let code = await ended.first { _ in true } ?? -1
    return Result(code: code, output: await output, errors: await errors)
  }

  // On threads of their own: a test that waits must not hold one of Swift's few.

  private static func writeAll(_ text: String, to pipe: Pipe) async {
    // A program that doesn't read its input is no reason to end the tests.
    signal(SIGPIPE, SIG_IGN)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try? pipe.fileHandleForWriting.close()
        continuation.resume()
      }
    }
  }

  private static func readAll(_ pipe: Pipe) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }
}
