package import DBus

/// The outcome of a call.
package enum MethodOutcome: Sendable {
  case reply([Value])
  case failure(DBusError)
  /// No answer yet: ``ObjectServer/reply(to:_:)`` or ``ObjectServer/fail(_:_:)`` gives it later, or
  /// it never comes.
  case later
}

/// An interface of an exported object: its introspection data and its handlers.
package struct ExportedInterface: Sendable {
  package var name: String
  package var methods: [ExportedMethod]
  package var properties: [ExportedProperty]
  package var signals: [ExportedSignal]

  package init(
    name: String,
    methods: [ExportedMethod] = [],
    properties: [ExportedProperty] = [],
    signals: [ExportedSignal] = []
  ) {
    self.name = name
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }
}

/// A named argument of a method or a signal.
package struct ExportedArgument: Sendable {
  package var name: String
  package var type: ValueType

  /// `signature` must be one complete type; otherwise this traps.
  package init(_ name: String, _ signature: String) {
    self.name = name
    type = ValueType(literal: signature)
  }
}

package struct ExportedMethod: Sendable {
  package typealias Handler = @Sendable (IncomingCall) async -> MethodOutcome

  package var name: String
  package var inputs: [ExportedArgument]
  package var outputs: [ExportedArgument]
  package var handler: Handler

  /// `handler` is called only with arguments of the types `in`; other calls get UnknownMethod.
  /// It must return fast, since calls are handled one after the other; a slow one returns
  /// ``MethodOutcome/later``.
  package init(
    _ name: String,
    in inputs: [(String, String)] = [],
    out outputs: [(String, String)] = [],
    handler: @escaping Handler
  ) {
    self.name = name
    self.inputs = inputs.map { ExportedArgument($0.0, $0.1) }
    self.outputs = outputs.map { ExportedArgument($0.0, $0.1) }
    self.handler = handler
  }
}

package struct ExportedProperty: Sendable {
  package typealias Setter = @Sendable (Value, IncomingCall) async -> MethodOutcome

  package var name: String
  package var type: ValueType
  /// nil: absent now.
  package var value: Value?
  /// Called with a value of the right type; it must call ``ObjectServer/set(_:_:_:signal:)`` to
  /// change the value. nil: read-only.
  package var setter: Setter?

  /// `signature` must be one complete type, and `value` of that type; otherwise this traps.
  package init(_ name: String, _ signature: String, value: Value?, set setter: Setter? = nil) {
    self.name = name
    type = ValueType(literal: signature)
    self.value = value
    self.setter = setter
    precondition(value == nil || value?.type == type, "\(name) is not of type \(signature)")
  }
}

package struct ExportedSignal: Sendable {
  package var name: String
  package var arguments: [ExportedArgument]

  package init(_ name: String, _ arguments: [(String, String)] = []) {
    self.name = name
    self.arguments = arguments.map { ExportedArgument($0.0, $0.1) }
  }
}

extension ValueType {
  /// For signatures in the source code.
  fileprivate init(literal signature: String) {
    guard let types = try? Signature(signature).types, types.count == 1 else {
      preconditionFailure("\(signature.debugDescription) is not one complete type")
    }
    self = types[0]
  }
}
