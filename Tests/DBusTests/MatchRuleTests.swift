import DBus
import Testing

struct MatchRuleTests {
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
}
