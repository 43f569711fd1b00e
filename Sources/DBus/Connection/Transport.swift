import CBlueZ
import Host

/// The libdbus connection and the watches on its file descriptor.
///
/// Everything runs on the thread of one ``LoopExecutor``. libdbus is only a parser and a queue of
/// messages, used without filters, pending calls or blocking helpers.
final class Transport {
  private let connection: OpaquePointer
  private let watches = WatchList()
  private let socket: Int32
  private var watch: FileWatch?
  private var isWriting = false

  /// Connects the socket. The handshake happens in ``turn()``.
  init(address: String) throws(DBusError) {
    // By default libdbus ignores SIGPIPE for the whole process. It sends with MSG_NOSIGNAL anyway.
    dbus_connection_set_change_sigpipe(0)
    var failure = CDBusError()
    dbus_error_init(&failure)
    defer { dbus_error_free(&failure) }
    guard let connection = dbus_connection_open_private(address, &failure) else {
      throw Transport.error(failure, address)
    }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    var socket: Int32 = -1
    guard dbus_connection_get_unix_fd(connection, &socket) != 0 else {
      Transport.release(connection)
      throw DBusError(name: DBusError.badAddress, message: "\(address) does not lead to a socket.")
    }
    self.connection = connection
    self.socket = socket
    guard watches.install(on: connection) else { throw .outOfMemory }
  }

  deinit {
    // Unwatch the socket before it is closed.
    watch = nil
    Transport.release(connection)
  }

  var isConnected: Bool { dbus_connection_get_is_connected(connection) != 0 }

  /// Queues a message, writes as much as the socket takes, and returns the message's serial.
  func send(_ message: borrowing Message) throws(DBusError) -> UInt32 {
    var serial: UInt32 = 0
    guard dbus_connection_send(connection, message.pointer, &serial) != 0 else {
      throw .outOfMemory
    }
    return serial
  }

  /// Reads and writes what is possible without waiting.
  func turn() { watches.handle() }

  func popMessage() -> Message? {
    dbus_connection_pop_message(connection).map { Message(adopting: $0) }
  }

  /// Calls `handler` whenever there is something to read, and after ``watchWriting()``.
  func watch(on executor: LoopExecutor, _ handler: @escaping @Sendable () -> Void) {
    watch = executor.watch(socket, handler)
  }

  /// Makes the handler be called for a writable socket, too, but only while data is left to send.
  func watchWriting() {
    let isNeeded = watches.wantWriting
    guard isNeeded != isWriting else { return }
    isWriting = isNeeded
    watch?.setWriting(isNeeded)
  }

  private static func release(_ connection: OpaquePointer) {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  private static func error(_ failure: CDBusError, _ address: String) -> DBusError {
    guard let name = failure.name, let message = failure.message else { return .outOfMemory }
    return DBusError(
      name: String(cString: name),
      message: "The bus at \(address) can't be reached: \(String(cString: message))."
    )
  }
}
