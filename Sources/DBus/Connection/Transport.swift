import CBlueZ
import Dispatch
import Glibc

/// The libdbus connection and the watches on its file descriptor.
///
/// Everything happens on the queue of one ``BusExecutor``. libdbus is used as a parser and a queue:
/// messages go in and come out, without filters, pending calls or blocking helpers.
final class Transport {
  private let connection: OpaquePointer
  private let queue: DispatchQueue
  private let watches = WatchList()
  /// A duplicate, so that the watches may outlive libdbus's own until they are cancelled.
  private let descriptor: OwnedFileDescriptor
  private var readSource: (any DispatchSourceRead)?
  private var writeSource: (any DispatchSourceWrite)?

  /// Connects the socket. The handshake happens in ``turn()``.
  init(address: String, queue: DispatchQueue) throws(DBusError) {
    // Else libdbus ignores SIGPIPE for the whole process. It sends with MSG_NOSIGNAL anyhow.
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
    let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else {
      let reason = String(cString: strerror(errno))
      Transport.release(connection)
      throw DBusError(
        name: DBusError.failed,
        message: "The socket of \(address) can't be watched: \(reason)."
      )
    }
    self.connection = connection
    self.queue = queue
    descriptor = OwnedFileDescriptor(duplicate)
    guard watches.install(on: connection) else { throw .outOfMemory }
  }

  deinit {
    readSource?.cancel()
    writeSource?.cancel()
    Transport.release(connection)
  }

  var isConnected: Bool { dbus_connection_get_is_connected(connection) != 0 }

  var canSendFileDescriptors: Bool {
    dbus_connection_can_send_type(connection, CDBusType.unixFD.rawValue) != 0
  }

  /// Queues a message and returns its serial.
  func send(_ message: borrowing Message) throws(DBusError) -> UInt32 {
    var serial: UInt32 = 0
    guard dbus_connection_send(connection, message.pointer, &serial) != 0 else {
      throw .outOfMemory
    }
    return serial
  }

  /// Reads and writes what is possible without waiting.
  func turn() {
    dbus_connection_read_write(connection, 0)
  }

  func popMessage() -> Message? {
    dbus_connection_pop_message(connection).map { Message(adopting: $0) }
  }

  /// Calls `handler` on the queue whenever there is something to read.
  func watchReading(_ handler: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.rawValue, queue: queue)
    source.setEventHandler(handler: handler)
    source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
    source.resume()
    readSource = source
  }

  /// Calls `handler` when the socket takes more, as long as something is left to send.
  func watchWriting(_ handler: @escaping @Sendable () -> Void) {
    let isNeeded = watches.wantWriting
    if isNeeded && writeSource == nil {
      let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.rawValue, queue: queue)
      source.setEventHandler(handler: handler)
      source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
      source.resume()
      writeSource = source
    } else if !isNeeded, let source = writeSource {
      source.cancel()
      writeSource = nil
    }
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
