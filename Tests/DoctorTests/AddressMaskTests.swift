import Doctor
import Testing

/// What is given away names no stranger's device, and still tells which is which.
struct AddressMaskTests {
  private func masked(_ texts: String...) -> [String] {
    var mask = AddressMask(keeping: ["AA:BB:CC:DD:EE:01"])
    return texts.map { mask.masked($0) }
  }

  @Test func strangersAreNumberedAndOursStay() {
    #expect(
      masked("11:22:33:44:55:66 aa:bb:cc:dd:ee:01 11:22:33:44:55:67", "11:22:33:44:55:66") == [
        "XX:XX:XX:XX:XX:01 aa:bb:cc:dd:ee:01 XX:XX:XX:XX:XX:02", "XX:XX:XX:XX:XX:01",
      ]
    )
  }

  @Test func theyAreFoundInPathsAndAliasesToo() {
    #expect(
      masked(
        "/org/bluez/hci0/dev_ab_22_33_44_55_66/service000a 'AB-22-33-44-55-66', AB:22:33:44:55:66"
      )
        == [
          "/org/bluez/hci0/dev_XX_XX_XX_XX_XX_01/service000a 'XX-XX-XX-XX-XX-01', XX:XX:XX:XX:XX:01"
        ]
    )
  }

  @Test(arguments: [
    "2026-11-21T18:05:27.123456+0000", "12345678-1234-1234-1234-123456789abc", "11:22:33:44:55",
    "000042-20261121T165737Z-001.ndjson", "011:22:33:44:55:66", "11:22:33:44:55:667", "", "é 11:22",
    "11:22:33-44:55:66", "110001060014004500",
  ])
  func otherNumbersStay(_ text: String) {
    #expect(masked(text) == [text])
  }
}
