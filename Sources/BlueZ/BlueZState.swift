/// BlueZ's known state at one instant: levels, never edges.
package struct BlueZState: Hashable, Sendable {
  /// Grows with every change: a state with a higher number is newer.
  package var revision: UInt64 = 0
  /// Whether the bus is there.
  package var isBusConnected = false
  /// The unique bus name of bluetoothd; nil while `org.bluez` has no owner.
  package var owner: String?
  /// BlueZ's objects; nil until they have been read from this owner.
  package var tree: ObjectTree?
  /// The kernel's view when BlueZ last showed no adapter, or one that is off; nil while all are on,
  /// or if the kernel is not to be asked.
  package var kernel: KernelView?
  /// Whether no signal of BlueZ has come in yet on this connection: a bus may pass calls and no signals.
  package var awaitsFirstSignal = false

  package init() {}
}
