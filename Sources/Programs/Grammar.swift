import CArgp
import Glibc
import Host

/// A command line as argp sees it, without types. C stays in this file.
package struct Grammar {
  /// What argp found, in the order of the command line.
  package enum Event {
    case option(Int, String)
    case argument(String)
    case end
  }

  package var synopsis: [String]
  package var before: String
  package var after: String
  package var options: [(name: String, short: Character?, label: String?, help: String)] = []

  /// - Parameter arguments: the program's name for messages first.
  package func parse(
    _ arguments: [String],
    mode: ParserMode,
    receive: (Event) throws(UsageError) -> Void
  ) throws(ParserExit) {
    let texts = CStrings()
    // argp keeps pointers into them that Swift doesn't know about.
    defer { withExtendedLifetime(texts) {} }
    let table = self.table(texts)
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map {
      UnsafeMutablePointer(mutating: texts.keep($0))
    }
    argv.append(nil)
    // argp must not exit the process, as its own help options would.
    let flags = ARGP_NO_EXIT | ARGP_NO_HELP | (mode == .silent ? ARGP_NO_ERRS : 0)
    let (status, exit) = withoutActuallyEscaping(receive) { receive in
      let parsing = Parsing(mode: mode, keys: table.map(\.key), receive: receive)
      let status = table.withUnsafeBufferPointer { table in
        var parser = argp()
        parser.options = table.baseAddress
        parser.parser = { key, text, state in
          guard let state else { return EINVAL }
          return Unmanaged<Parsing>.fromOpaque(state.pointee.input).takeUnretainedValue()
            .handle(key: key, text: text.map { String(cString: $0) }, state: state)
        }
        parser.args_doc = texts.keep(synopsis.joined(separator: "\n"))
        parser.doc = texts.keep(after.isEmpty ? before : "\(before)\u{B}\(after)")
        return argp_parse(
          &parser,
          Int32(arguments.count),
          &argv,
          UInt32(flags),
          nil,
          Unmanaged.passUnretained(parsing).toOpaque()
        )
      }
      return withExtendedLifetime(parsing) { (status, parsing.exit) }
    }
    if let exit { throw exit }
    // argp has refused an option before `receive` saw it.
    if status != 0 {
      if mode == .interactive, let meant = nearMiss(in: arguments) {
        Output.complain("Did you mean '\(meant)'?")
      }
      throw .refused(UsageError("unknown or incomplete option"))
    }
  }

  /// What an option that doesn't exist should perhaps be.
  private func nearMiss(in arguments: [String]) -> String? {
    let names = options.map(\.name) + Answer.allCases.map { "\($0)" }
    let words = arguments.dropFirst().prefix { $0 != "--" }
    let unknown = words.filter { $0.hasPrefix("--") }.map { $0.dropFirst(2).prefix { $0 != "=" } }
      .first { word in !names.contains { $0.hasPrefix(word) } }
    return unknown.flatMap { Host.nearMiss(String($0), among: names) }.map { "--\($0)" }
  }

  /// argp's table of options: ours, ``Answer``'s, the hidden ones, and an entry of zeros as the end.
  private func table(_ texts: CStrings) -> [argp_option] {
    // All fields are spelled out: in an optimised build, `argp_option()` leaves the last one
    // uninitialised (Swift 6.3.1), and argp reads beyond the end.
    func entry(
      _ key: Int32,
      _ name: String? = nil,
      label: String? = nil,
      help: String? = nil,
      flags: Int32 = 0,
      group: Int = 0
    ) -> argp_option {
      argp_option(
        name: name.map(texts.keep),
        key: key,
        arg: label.map(texts.keep),
        flags: flags,
        doc: help.map(texts.keep),
        group: Int32(group)
      )
    }
    // One group per option keeps the declared order; argp sorts a group by name.
    let ours = options.enumerated().map { index, option in
      entry(
        // The short form's character, or a number above all characters.
        option.short?.asciiValue.map(Int32.init) ?? Int32(256 + index),
        option.name,
        label: option.label,
        help: option.help,
        group: index + 1
      )
    }
    let answers = Answer.allCases.map { entry($0.rawValue, "\($0)", help: $0.help, group: -1) }
    let hidden = ([Answer.helpAlias] + Self.digits).map { entry($0, flags: OPTION_HIDDEN) }
    return ours + answers + hidden + [entry(0)]
  }

  /// Declared as options only for a helpful error: `-05001…` is a command with a sign.
  private static let digits: ClosedRange<Int32> = 0x30...0x39

  /// The options that the parser answers itself.
  private enum Answer: Int32, CaseIterable {
    case help = 0x68  // -h
    case usage = 0x80  // no short form
    case version = 0x56  // -V

    /// argp's own short form of `--help`, `-?`.
    package static let helpAlias: Int32 = 0x3F

    package var help: String {
      switch self {
      case .help: "Give this help list"
      case .usage: "Give a short usage message"
      case .version: "Print program version"
      }
    }

    /// - Returns: why the answer is not written; nil if it is, or its reader has left.
    package func give(_ state: UnsafeMutablePointer<argp_state>) -> SystemError? {
      guard let output = state.pointee.out_stream else {
        preconditionFailure("argp has no standard output")
      }
      switch self {
      case .help:
        let parts = ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC
        argp_state_help(state, output, UInt32(parts))
      case .usage:
        argp_state_help(state, output, UInt32(ARGP_HELP_USAGE))
      case .version:
        fputs("ballmachine \(Version.full)\n", output)
      }
      // A long answer has left in part.
      guard fflush(output) != 0 || ferror(output) != 0 else { return nil }
      let error = SystemError("write to standard output")
      return error.code == EPIPE ? nil : error
    }
  }

  /// What argp's callback finds behind its `input` pointer.
  private final class Parsing {
    package let mode: ParserMode
    /// ``Grammar/options`` come first.
    package let keys: [Int32]
    package let receive: (Event) throws(UsageError) -> Void
    package var exit: ParserExit?

    package init(
      mode: ParserMode,
      keys: [Int32],
      receive: @escaping (Event) throws(UsageError) -> Void
    ) {
      self.mode = mode
      self.keys = keys
      self.receive = receive
    }

    package func handle(key: Int32, text: String?, state: UnsafeMutablePointer<argp_state>)
      -> error_t
    {
      if let answer = key == Answer.helpAlias ? .help : Answer(rawValue: key) {
        let error = mode == .interactive ? answer.give(state) : nil
        exit = error.map { .answerLost($0) } ?? .answered
        return ECANCELED
      }
      do throws(UsageError) {
        switch key {
        case Int32(ARGP_KEY_ARG): try receive(.argument(text ?? ""))
        case Int32(ARGP_KEY_END): try receive(.end)
        case Grammar.digits:
          throw UsageError(
            "'\(state.optionText)' begins with a sign, but is neither an option nor its value"
          )
        default:
          guard let index = keys.firstIndex(of: key) else { return ARGP_ERR_UNKNOWN }
          try receive(.option(index, text ?? ""))
        }
        return 0
      } catch {
        exit = .refused(error)
        cargp_error(state, error.description)
        return EINVAL
      }
    }
  }
}

extension UnsafeMutablePointer<argp_state> {
  /// The word of the command line whose letters are being read as short options.
  fileprivate var optionText: String {
    // `next` moves past the word only at its last letter.
    let places = [pointee.next, pointee.next - 1].filter { $0 < pointee.argc }
    let words = places.compactMap { pointee.argv[Int($0)] }.map { String(cString: $0) }
    return words.first { $0.dropFirst().first?.isNumber == true && $0.hasPrefix("-") } ?? ""
  }
}

/// C strings that live as long as this object.
private final class CStrings {
  private var kept: [UnsafeMutablePointer<CChar>] = []

  package func keep(_ text: String) -> UnsafePointer<CChar> {
    guard let copy = strdup(text) else { fatalError("out of memory") }
    kept.append(copy)
    return UnsafePointer(copy)
  }

  deinit {
    for text in kept { free(text) }
  }
}
