import CArgp
import Glibc

/// argp's own view of a command line, without the types: C stays in this file.
struct Grammar {
  struct Option {
    var name: String
    var short: Character?
    var label: String?
    var help: String

    init(_ name: String, _ short: Character?, _ label: String?, _ help: String) {
      self.name = name
      self.short = short
      self.label = label
      self.help = help
    }

    /// argp's id of the option: the short form's character, or a number that is none.
    func key(index: Int) -> Int32 { short?.asciiValue.map(Int32.init) ?? Int32(256 + index) }
  }

  /// What argp found, in the order of the command line.
  enum Event {
    case option(Int, String)
    case argument(String)
    case end
  }

  var synopsis: [String]
  var before: String
  var after: String
  var options: [Option] = []

  /// - Parameter arguments: the program's name for messages first.
  func parse(
    _ arguments: [String],
    mode: ParserMode,
    receive: (Event) throws(UsageError) -> Void
  ) throws(UsageError) {
    let texts = CStrings()
    // A group each keeps the declared order; argp would sort by name.
    var table = options.enumerated().map { index, option in
      argp_option(
        name: texts.keep(option.name),
        key: option.key(index: index),
        arg: option.label.map(texts.keep),
        flags: 0,
        doc: texts.keep(option.help),
        group: Int32(index + 1)
      )
    }
    table.append(argp_option())
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map {
      UnsafeMutablePointer(mutating: texts.keep($0))
    }
    argv.append(nil)

    let flags = mode == .silent ? ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP : 0
    let keys = options.enumerated().map { $1.key(index: $0) }
    let (status, failure) = withoutActuallyEscaping(receive) { receive in
      let session = Session(keys: keys, receive: receive)
      let status = table.withUnsafeBufferPointer { table in
        var parser = argp()
        parser.options = table.baseAddress
        parser.parser = { key, text, state in
          guard let state else { return EINVAL }
          return Unmanaged<Session>.fromOpaque(state.pointee.input).takeUnretainedValue()
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
          Unmanaged.passUnretained(session).toOpaque()
        )
      }
      return withExtendedLifetime(session) { (status, session.failure) }
    }
    if let failure { throw failure }
    if status != 0 { throw UsageError("bad option") }
  }

  /// What argp's callback finds behind its `input` pointer.
  private final class Session {
    let keys: [Int32]
    let receive: (Event) throws(UsageError) -> Void
    var failure: UsageError?

    init(keys: [Int32], receive: @escaping (Event) throws(UsageError) -> Void) {
      self.keys = keys
      self.receive = receive
    }

    func handle(key: Int32, text: String?, state: UnsafeMutablePointer<argp_state>) -> error_t {
      let event: Event
      if let index = keys.firstIndex(of: key) {
        event = .option(index, text ?? "")
      } else if key == ARGP_KEY_ARG {
        event = .argument(text ?? "")
      } else if key == ARGP_KEY_END {
        event = .end
      } else {
        return ARGP_ERR_UNKNOWN
      }
      do throws(UsageError) {
        try receive(event)
        return 0
      } catch {
        failure = error
        // Ends the process, unless the parser runs silently.
        cargp_error(state, error.description)
        return EINVAL
      }
    }
  }
}

/// C strings that live as long as this object.
private final class CStrings {
  private var kept: [UnsafeMutablePointer<CChar>] = []

  func keep(_ text: String) -> UnsafePointer<CChar> {
    guard let copy = strdup(text) else { fatalError("out of memory") }
    kept.append(copy)
    return UnsafePointer(copy)
  }

  deinit {
    for text in kept { free(text) }
  }
}
