/// The service's sockets in the runtime directory.
package enum ControlSockets {
  /// Answers requests, and reports events.
  package static let control = "control.sock"
  /// Any client can stop the machine here; there is no other request.
  package static let stop = "stop.sock"
}
