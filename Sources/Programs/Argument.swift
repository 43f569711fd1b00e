/// One positional argument of a subcommand.
package struct Argument<Command: Sendable>: Sendable {
  /// The argument's name in the usage line: `FILE`.
  package var label: String
  package var isRequired: Bool
  package var apply: @Sendable (_ command: inout Command, _ text: String) throws(UsageError) -> Void

  package static func required<Value>(
    _ kind: ValueKind<Value>,
    _ property: Property<Command, Value>
  ) -> Argument {
    Argument(kind, property, isRequired: true)
  }

  package static func optional<Value>(
    _ kind: ValueKind<Value>,
    _ property: Property<Command, Value?>
  ) -> Argument {
    Argument(kind.optional, property, isRequired: false)
  }

  private init<Value>(
    _ kind: ValueKind<Value>,
    _ property: Property<Command, Value>,
    isRequired: Bool
  ) {
    label = kind.label
    self.isRequired = isRequired
    apply = { (command, text) throws(UsageError) in
      do throws(UsageError) {
        command[keyPath: property] = try kind.parse(text)
      } catch {
        throw UsageError("\(kind.label) '\(text)': \(error)")
      }
    }
  }
}
