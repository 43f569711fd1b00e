/// One positional argument of a subcommand.
struct Argument<Command: Sendable>: Sendable {
  /// As the usage line shows it: `FILE`.
  var label: String
  var isRequired: Bool
  var apply: @Sendable (_ command: inout Command, _ text: String) throws(UsageError) -> Void

  static func required<Value>(
    _ kind: ValueKind<Value>,
    _ property: Property<Command, Value>
  ) -> Argument {
    Argument(kind, property, isRequired: true)
  }

  static func optional<Value>(
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
