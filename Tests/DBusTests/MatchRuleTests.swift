import DBus
import Testing

struct MatchRuleTests {
  static func signal(
    sender: String = ":1.5",
    path: String = "/org/bluez/hci0",
    interface: String = "test.Interface",
    member: String = "Changed",
    _ arguments: [Value] = []
  ) throws -> Signal {
    Signal(
      sender: sender,
      path: try ObjectPath(path),
      interface: interface,
      member: member,
      arguments: arguments,
      sequence: 1
    )
  }

  @Test func theTextHasEveryPartInQuotes() throws {
    let rule = MatchRule(
      sender: "org.bluez",
      interface: "a.b",
      member: "M",
      pathNamespace: try ObjectPath("/org/bluez"),
      argument0: "it's",
      argument0Path: "/a/"
    )
    #expect(
      rule.text
        == "type='signal',sender='org.bluez',interface='a.b',member='M',"
        + #"path_namespace='/org/bluez',arg0='it'\''s',arg0path='/a/'"#
    )
    #expect(MatchRule(path: .root).text == "type='signal',path='/'")
    // An accent after an apostrophe is one character with it, and must not hide it.
    #expect(MatchRule(argument0: "'\u{301}").text == "type='signal',arg0=''\\''\u{301}'")
  }

  @Test func partsThatAreNilMatchEverything() throws {
    #expect(MatchRule().matches(try Self.signal()))
  }

  @Test func everyPartMustMatch() throws {
    let signal = try Self.signal()
    #expect(MatchRule(interface: "test.Interface", member: "Changed").matches(signal))
    #expect(!MatchRule(interface: "test.Interface", member: "Added").matches(signal))
    #expect(!MatchRule(interface: "test.Other", member: "Changed").matches(signal))
    #expect(MatchRule(path: try ObjectPath("/org/bluez/hci0")).matches(signal))
    #expect(!MatchRule(path: try ObjectPath("/org/bluez")).matches(signal))
  }

  @Test func onlyUniqueSendersAreComparedHere() throws {
    let signal = try Self.signal()
    #expect(MatchRule(sender: ":1.5").matches(signal))
    #expect(!MatchRule(sender: ":1.6").matches(signal))
    #expect(MatchRule(sender: "org.bluez").matches(signal))
    #expect(!MatchRule(sender: "org.freedesktop.DBus").matches(signal))
    let fromBus = try Self.signal(sender: "org.freedesktop.DBus")
    #expect(MatchRule(sender: "org.freedesktop.DBus").matches(fromBus))
  }

  @Test(arguments: [
    ("/org/bluez", "/org/bluez", true),
    ("/org/bluez", "/org/bluez/hci0", true),
    ("/org/bluez", "/org/bluez2", false),
    ("/org/bluez", "/org", false),
    ("/", "/anything", true),
    ("/", "/", true),
  ])
  func aNamespaceIsTheObjectAndAllBelow(_ space: String, _ path: String, _ matches: Bool) throws {
    let rule = MatchRule(pathNamespace: try ObjectPath(space))
    #expect(try rule.matches(Self.signal(path: path)) == matches)
  }

  @Test func argument0IsAnEqualString() throws {
    let rule = MatchRule(argument0: "org.bluez")
    #expect(rule.matches(try Self.signal([.string("org.bluez"), .string("")])))
    #expect(!rule.matches(try Self.signal([.string("org.bluez.x")])))
    #expect(!rule.matches(try Self.signal([])))
    #expect(!rule.matches(try Self.signal([.variant(.string("org.bluez"))])))
    let path = MatchRule(argument0: "/a")
    #expect(!path.matches(try Self.signal([.objectPath(try ObjectPath("/a"))])))
  }

  // Source: D-Bus specification, "Match Rules", arg[0, 1, 2, 3, ...]path.
  @Test(arguments: [
    ("/aa/bb/", "/", true),
    ("/aa/bb/", "/aa/", true),
    ("/aa/bb/", "/aa/bb/", true),
    ("/aa/bb/", "/aa/bb/cc/", true),
    ("/aa/bb/", "/aa/bb/cc", true),
    ("/aa/bb/", "/aa/b", false),
    ("/aa/bb/", "/aa", false),
    ("/aa/bb/", "/aa/bb", false),
    ("/aa/bb", "/aa/bb", true),
    ("/aa/bb", "/aa/bb/cc", false),
  ])
  func argument0PathIsAPrefixUpToASlash(_ rule: String, _ text: String, _ matches: Bool) throws {
    let rule = MatchRule(argument0Path: rule)
    #expect(try rule.matches(Self.signal([.string(text)])) == matches)
    if let path = try? ObjectPath(text) {
      #expect(try rule.matches(Self.signal([.objectPath(path)])) == matches)
    }
    #expect(try !rule.matches(Self.signal([.bytes([])])))
  }
}
