/// Where an option's value goes.
package typealias Property<Command, Value> = any WritableKeyPath<Command, Value> & Sendable

/// One option of a subcommand: how it is written, what the help says, where its value goes.
package struct Option<Command: Sendable>: Sendable {
  /// The option's name without the dashes.
  package var name: String
  /// A single ASCII letter, if the option has a short form.
  package var short: Character?
  /// The value's name in the help; `nil` for a flag.
  package var label: String?
  /// One sentence, without a full stop; the parser wraps it.
  package var help: String
  /// Stores the value (the empty text for a flag).
  package var apply: @Sendable (_ command: inout Command, _ text: String) throws(UsageError) -> Void

  /// An option with a value. If it is given twice, the last value counts.
  package static func value<Value>(
    _ name: String,
    short: Character? = nil,
    _ kind: ValueKind<Value>,
    _ property: Property<Command, Value>,
    _ help: String
  ) -> Option {
    Option(name: name, short: short, label: kind.label, help: help) {
      (command, text) throws(UsageError) in
      do throws(UsageError) {
        command[keyPath: property] = try kind.parse(text)
      } catch {
        throw UsageError("--\(name) \(text.isEmpty ? "''" : text): \(error)")
      }
    }
  }

  /// An option with a value for a property that is `nil` until then.
  package static func value<Value>(
    _ name: String,
    short: Character? = nil,
    _ kind: ValueKind<Value>,
    _ property: Property<Command, Value?>,
    _ help: String
  ) -> Option {
    .value(name, short: short, kind.optional, property, help)
  }

  /// An option without a value: it sets its property to true.
  package static func flag(
    _ name: String,
    short: Character? = nil,
    _ property: Property<Command, Bool>,
    _ help: String
  ) -> Option {
    Option(name: name, short: short, label: nil, help: help) { (command, _) in
      command[keyPath: property] = true
    }
  }

  /// Standard output carries JSON alone. ``parse(_:as:arguments:mode:)`` takes it itself.
  static var json: Option {
    Option(name: "json", help: "Print JSON, one object per line") { (_, _) in }
  }

  /// The option for a command that holds `Command` as a group of options.
  package func within<Parent>(
    _ group: Property<Parent, Command>
  ) -> Option<Parent> {
    Option<Parent>(name: name, short: short, label: label, help: help) {
      [apply] (parent, text) throws(UsageError) in
      try apply(&parent[keyPath: group], text)
    }
  }
}

extension Array {
  /// A group of options as part of a command that holds the group in a property.
  package func within<Group, Parent>(
    _ group: Property<Parent, Group>
  ) -> [Option<Parent>] where Element == Option<Group> {
    map { $0.within(group) }
  }
}
