/// What Home Assistant makes of a payload. `None`, its word for unknown, where a member is missing
/// or the payload is no JSON.
struct HomeAssistantTemplate {
  let text: String

  private init(_ text: String) { self.text = text }

  private static let payload = "(value_json | default({}))"

  private static func member(_ name: String) -> String { "\(payload).\(name)" }

  /// - Parameter object: the member that has this one.
  static func text(_ name: String, of object: String? = nil) -> Self {
    let value = object.map { "(\(member($0)) | default({})).\(name)" } ?? member(name)
    return short("\(value) | default('None')")
  }

  /// A member, or a word of ours where that is missing and another one says that the rest is known.
  static func text(_ name: String, orIf other: String, _ word: String) -> Self {
    let alternative = "'\(word)' if \(member(other)) is defined else 'None'"
    return short("\(member(name)) | default(\(alternative))")
  }

  /// Home Assistant refuses a state of more than 255 characters.
  private static func short(_ value: String) -> Self { Self("{{ (\(value) | string)[:255] }}") }

  static func oneOf(_ name: String, _ words: [String]) -> Self {
    let list = words.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      "{% set word = \(member(name)) | default %}{{ word if word in [\(list)] else 'None' }}"
    )
  }

  /// Neither missing, false nor empty.
  static func isTrue(_ name: String) -> Self {
    Self("{{ 'ON' if \(member(name)) | default(false) else 'OFF' }}")
  }

  /// A member in seconds as minutes.
  static func minutes(_ name: String) -> Self {
    let value = member(name)
    return Self("{{ (\(value) / 60) | round(1) if \(value) is defined else 'None' }}")
  }

  /// How far a drill is.
  static var progress: Self {
    Self(
      "{% set d = \(payload) %}{{ 'set %s of %s, ball %s of %s' % (d.set, d.sets, d.ball, d.ballsPerSet) "
        + "if d.set is defined else 'not in progress' if d.drill is defined "
        + "else 'no drill' if d.aim is defined else 'None' }}"
    )
  }
}
