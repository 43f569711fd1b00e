import CBlueZ

/// The watches by which libdbus says what it waits for.
///
/// Only libdbus knows when it has something to write: a message, or the next line of the handshake,
/// which `dbus_connection_has_messages_to_send` does not count.
final class WatchList {
  private var watches: [OpaquePointer] = []

  /// libdbus keeps an unretained reference, so the list must outlive the connection.
  func install(on connection: OpaquePointer) -> Bool {
    dbus_connection_set_watch_functions(
      connection,
      { watch, list in
        guard let watch, let list else { return 0 }
        WatchList.from(list).watches.append(watch)
        return 1
      },
      { watch, list in
        guard let list else { return }
        WatchList.from(list).watches.removeAll { $0 == watch }
      },
      { _, _ in },
      Unmanaged.passUnretained(self).toOpaque(),
      nil
    ) != 0
  }

  /// Reads and writes what is possible without waiting. Call it when the socket is ready; it does
  /// not check for what, because the other direction fails harmlessly.
  func handle() {
    // Handling a watch may remove another.
    for watch in watches where watches.contains(watch) && dbus_watch_get_enabled(watch) != 0 {
      dbus_watch_handle(watch, dbus_watch_get_flags(watch))
    }
  }

  var wantWriting: Bool {
    watches.contains { watch in
      dbus_watch_get_enabled(watch) != 0
        && dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0
    }
  }

  private static func from(_ pointer: UnsafeMutableRawPointer) -> WatchList {
    Unmanaged.fromOpaque(pointer).takeUnretainedValue()
  }
}
