/// Everything that is there when the fake bluetoothd starts.
package struct MockModel: Hashable, Sendable {
  package var adapters: [MockAdapter]
  package var peripherals: [MockPeripheral]

  package init(adapters: [MockAdapter] = [MockAdapter()], peripherals: [MockPeripheral] = []) {
    self.adapters = adapters
    self.peripherals = peripherals
  }

  /// One powered adapter and one ball machine, `F0:F1:F2:F3:F4:F5`.
  package static let oneMachine = MockModel(peripherals: [MockPeripheral()])
}
