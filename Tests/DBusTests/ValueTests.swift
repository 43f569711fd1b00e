import DBus
import TestSupport
import Testing

struct ValueTests {
  @Test func propertiesAreWrappedOnceAndReadBackUnwrapped() throws {
    let value = Value.properties(["Alias": .string("machine"), "RSSI": .variant(.int16(-60))])
    #expect(value.type.code == "a{sv}")
    #expect(value.dictionary?[.string("Alias")] == .variant(.string("machine")))
    #expect(value.dictionary?[.string("RSSI")] == .variant(.int16(-60)))
    #expect(value.properties == ["Alias": .string("machine"), "RSSI": .int16(-60)])
  }

  @Test func accessorsSeeThroughVariantsAndRefuseOtherTypes() {
    #expect(Value.variant(.variant(.boolean(true))).bool == true)
    #expect(Value.variant(.bytes([1, 2])).bytes == [1, 2])
    #expect(Value.strings(["a", "b"]).strings == ["a", "b"])
    #expect(Value.strings([]).strings == [])
    #expect(Value.uint16(1).int16 == nil)
    #expect(Value.string("/").objectPath == nil)
    #expect(Value.array(of: .objectPath, [.objectPath(.root)]).strings == nil)
    #expect(Value.string("x").properties == nil)
  }

  @Test func emptyContainersKeepTheirTypes() {
    #expect(Value.array(of: .structure([.string, .variant]), []).type.code == "a(sv)")
    #expect(Value.dictionary(key: .uint16, value: .variant, [:]).type.code == "a{qv}")
    #expect(Value.bytes([]).type.code == "ay")
  }
}
