import BlueZ
import Testing

@Suite struct IdentifierTests {
  // MARK: Addresses

  @Test(arguments: [
    ("F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F5"), ("f0:f1:f2:f3:f4:f5", "F0:F1:F2:F3:F4:F5"),
    ("00:00:00:00:00:0a", "00:00:00:00:00:0A"),
  ])
  func anAddressIsSixBytesInEitherCase(text: String, description: String) {
    #expect(BluetoothAddress(text)?.description == description)
  }

  @Test(arguments: [
    "", "F0:F1:F2:F3:F4", "F0:F1:F2:F3:F4:F5:F6", "F0-F1-F2-F3-F4-F5", "F0:F1:F2:F3:F4:F",
    "F0:F1:F2:F3:F4:FG", "F0:F1:F2:F3:F4:+5", ":F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F5 ",
    "Ｆ0:F1:F2:F3:F4:F5", "0xF0:F1:F2:F3:F4:F5",
  ])
  func nothingElseIsAnAddress(text: String) {
    #expect(BluetoothAddress(text) == nil)
  }

  @Test func addressesAreOrderedByTheirFirstByteFirst() throws {
    let low = try #require(BluetoothAddress("00:FF:FF:FF:FF:FF"))
    let high = try #require(BluetoothAddress("01:00:00:00:00:00"))
    #expect(low < high)
  }

  // MARK: UUIDs

  @Test(arguments: [
    ["ffe0", "FFE0", "0xffe0", "0000ffe0", "0000FFE0-0000-1000-8000-00805F9B34FB"],
    ["12345678", "12345678-0000-1000-8000-00805f9b34fb"],
  ])
  func formsThatMeanTheSameAreEqual(forms: [String]) {
    let uuids = forms.map { BluetoothUUID($0) }
    #expect(!uuids.contains(nil))
    #expect(Set(uuids).count == 1)
  }

  @Test func aLongUUIDOfItsOwnIsNoShortOne() throws {
    let uuid = try #require(BluetoothUUID("12345678-1234-1234-1234-123456789ABC"))
    #expect(uuid.short == nil)
    #expect(uuid.description == "12345678-1234-1234-1234-123456789abc")
    #expect(BluetoothUUID("ffe0")?.short == 0xffe0)
    #expect(BluetoothUUID("ffe0")?.description == "0000ffe0-0000-1000-8000-00805f9b34fb")
  }

  @Test(arguments: [
    "", "ffe", "ffe00", "xyz0", "+fe0", "12345678-1234-1234-1234-123456789ab",
    "12345678-1234-1234-1234-123456789abcd", "1234567812341234123412345678ABCD",
    "12345678-12341-234-1234-123456789abc", "0x12345678-1234-1234-1234-123456789abc",
    "ｆfe0", "----", "--------",
  ])
  func nothingElseIsAUUID(text: String) {
    #expect(BluetoothUUID(text) == nil)
  }
}
