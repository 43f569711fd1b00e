import ControlProtocol
import Fleet
import Host
import JSON
import Programs

/// What talks to the broker for ``StopCourt``, as a process of its own: a broker's bytes can make Debian 12's
/// libmosquitto abort, and then a person still has to be told whether the machine was reached.
struct StopWorker: Subcommand {
  var court = ""
  var broker = BrokerOptions()

  static let usage = Usage<Self>(
    name: "stop-worker",
    summary: "Send a stop, and print what came of it for `stop'",
    options: BrokerOptions.options.within(\.broker),
    arguments: [.required(ValueKind("COURT", .court), \.court)]
  )

  func run(_ output: Output) async throws {
    let settings = try broker.settings()
    // Each line leaves before what comes next can end the process.
    let say: @Sendable (StopNews) -> Void = { news in
      if let line = try? JSONEncoding.line(WorkerLine(news)) {
        try? writeAll(line + [UInt8(ascii: "\n")], to: output.descriptor)
      }
    }
    do {
      say(.outcome(try await CourtStop(court, at: settings).perform { say(.sending) }))
    } catch let failure as MQTTFailure {
      say(.failure(failure))
    }
  }
}

extension StopWorker {
  /// How a worker has ended.
  struct End: Sendable {
    /// False if it has ended before it began to send.
    var mayHaveSent = true
    /// Nil: it has ended without a word.
    var result: Result<CourtStop.Outcome, MQTTFailure>?
    /// Why, if it has.
    var reason = ""
  }

  /// The worker's own limit, and time to start and to end.
  static let timeout = CourtStop.timeout + .seconds(10)

  /// - Throws: if this program's file is not there any more.
  static func program() throws -> String {
    guard let program = OtherProgram.own else {
      throw Failure(.system, "this program's file is not there any more: install it again")
    }
    return program
  }

  /// Runs it as a child. One whose task is cancelled is killed.
  static func end(
    of program: String,
    stopping court: String,
    by broker: BrokerOptions
  ) async -> End {
    let child: ChildProcess.End
    do throws(SystemError) {
      child = try await ChildProcess.output(
        of: [program, usage.name] + broker.arguments + ["--", court],
        longest: 1 << 16,
        within: timeout
      )
    } catch {
      // It may have begun.
      return End(reason: "\(error)")
    }
    var end = End(mayHaveSent: false)
    for text in child.output.split(separator: UInt8(ascii: "\n")) {
      switch try? JSONValue(text: Array(text)).decoded(as: WorkerLine.self).news {
      case .sending: end.mayHaveSent = true
      case .outcome(let outcome): end.result = .success(outcome)
      case .failure(let failure): end.result = .failure(failure)
      case nil: continue
      }
    }
    let words = child.complaint.map { ": \($0.excerpt)" } ?? ""
    end.reason =
      child.status > 128
      ? "what talks to the broker was ended by signal \(child.status - 128)\(words)"
      : "what talks to the broker has ended with status \(child.status)\(words)"
    return end
  }
}

/// What a worker says.
enum StopNews: Hashable, Sendable {
  /// The stop is about to be sent.
  case sending
  case outcome(CourtStop.Outcome)
  /// Nothing was sent.
  case failure(MQTTFailure)
}

/// The news as a line of JSON.
private struct WorkerLine: Codable {
  enum Kind: String, Codable {
    case sending, answered, offline, unseen, unheard, silent, lost, refused, failure
  }

  var kind: Kind
  var stop: StopRecord?
  var failure: MQTTFailure?
  var words: String?

  init(_ news: StopNews) {
    switch news {
    case .sending: kind = .sending
    case .outcome(.answered(let answer)): (kind, stop) = (.answered, answer)
    case .outcome(.offline): kind = .offline
    case .outcome(.unseen): kind = .unseen
    case .outcome(.unheard): kind = .unheard
    case .outcome(.silent): kind = .silent
    case .outcome(.lost(let error)): (kind, failure) = (.lost, error)
    case .outcome(.refused(let text)): (kind, words) = (.refused, text)
    case .failure(let error): (kind, failure) = (.failure, error)
    }
  }

  /// Nil: a part is missing.
  var news: StopNews? {
    switch kind {
    case .sending: .sending
    case .answered: stop.map { .outcome(.answered($0)) }
    case .offline: .outcome(.offline)
    case .unseen: .outcome(.unseen)
    case .unheard: .outcome(.unheard)
    case .silent: .outcome(.silent)
    case .lost: failure.map { .outcome(.lost($0)) }
    case .refused: words.map { .outcome(.refused($0)) }
    case .failure: failure.map { .failure($0) }
    }
  }
}
