import DBus

extension Adapter {
  /// The adapters that BlueZ shows now, in the order of their paths.
  ///
  /// - Parameter bus: `system`, `session` or a D-Bus address.
  package static func all(on bus: String) async throws(BlueZError) -> [Adapter] {
    let client = try await BlueZClient(bus: BusAddress(option: bus), revision: 0) { _ in }
    let outcome: Result<Void, BlueZError>
    do throws(BlueZError) { outcome = .success(try await client.refresh()) } catch {
      outcome = .failure(error)
    }
    await client.close()
    try outcome.get()
    guard let tree = await client.current.tree else {
      // The bus may have started it just now.
      throw BlueZError(
        kind: .serviceAbsent,
        name: "org.freedesktop.DBus.Error.NameHasNoOwner",
        message: "org.bluez has no owner"
      )
    }
    return tree.adaptersInOrder
  }
}
