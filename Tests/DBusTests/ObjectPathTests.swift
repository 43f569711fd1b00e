import DBus
import Testing

struct ObjectPathTests {
  @Test(arguments: ["/", "/a", "/org/bluez/hci0/dev_F0_F1", "/_/0", "/a/b/c/d"])
  func aValidPathIsTaken(_ text: String) throws {
    #expect(try ObjectPath(text).string == text)
  }

  @Test(arguments: [
    "", "a", "a/b", "//", "/a/", "/a//b", "/a b", "/a-b", "/a.b", "/ä", "/a\0", "/a\n",
  ])
  func anInvalidPathIsRefused(_ text: String) {
    #expect(throws: DBusError.self) { try ObjectPath(text) }
  }

  @Test func descendantsLieBelowAndNotBeside() throws {
    let device = try ObjectPath("/org/bluez/hci0/dev_1")
    #expect(device.isDescendant(of: try ObjectPath("/org/bluez")))
    #expect(device.isDescendant(of: .root))
    #expect(!device.isDescendant(of: device))
    #expect(!device.isDescendant(of: try ObjectPath("/org/bluez/hci0/dev")))
    #expect(!ObjectPath.root.isDescendant(of: .root))
    #expect(!ObjectPath.root.isDescendant(of: device))
  }

  @Test func theParentIsOneLevelAbove() throws {
    #expect(ObjectPath.root.parent == nil)
    #expect(try ObjectPath("/a").parent == .root)
    #expect(try ObjectPath("/a/b").parent == ObjectPath("/a"))
  }
}
