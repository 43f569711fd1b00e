import Host

/// What `ballmachine` says of the sessions, one question after the other, in a process of its own.
package actor SessionReports {
  /// A session's drawing has some 100 kB, a thousand sessions 400 kB.
  private static let longest = 4 << 20
  private static let timeout = Duration.seconds(20)
  private static let mostWaiting = 8

  package enum Problem: Error, Equatable {
    case busy
    /// What the program complained.
    case refused(String)
  }

  private let program: String
  private let options: [String]
  private var last: Task<Void, Never>?
  private var waiting = 0

  /// - Parameters:
  ///   - program: the path of `ballmachine`.
  ///   - options: which sessions these are.
  package init(program: String, options: [String] = []) {
    self.program = program
    self.options = options
  }

  /// - Returns: what it printed.
  package func ask(_ arguments: [String]) async throws(Problem) -> [UInt8] {
    guard waiting < Self.mostWaiting else { throw .busy }
    waiting += 1
    defer { waiting -= 1 }
    let work = OneThread.task { [last, program, options] in
      await last?.value
      return await Self.run([program] + arguments + options)
    }
    last = OneThread.task { _ = await work.value }
    return try await work.value.get()
  }

  private static func run(_ arguments: [String]) async -> Result<[UInt8], Problem> {
    do throws(SystemError) {
      let end = try await ChildProcess.output(of: arguments, longest: longest, within: timeout)
      guard end.status == 0 else { return .failure(.refused(end.complaint ?? "no reason given")) }
      return .success(end.output)
    } catch {
      return .failure(.refused("\(error)"))
    }
  }
}
