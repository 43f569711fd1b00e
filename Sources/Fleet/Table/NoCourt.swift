/// A broker shows no court, which has one of two causes.
package struct NoCourt: Error, Hashable, Sendable, CustomStringConvertible {
  private let user: String?

  /// - Parameter user: the user's name at the broker, if there is one.
  package init(user: String?) { self.user = user }

  package var description: String {
    "no court is on this broker, or this user may not read them: "
      + Self.remedy(reading: "ballmachine/#", by: user)
  }

  /// What an access list must have for a user.
  ///
  /// - Parameter writing: what else than to read.
  package static func remedy(reading: String, writing: String? = nil, by user: String?) -> String {
    let lines = ["topic read \(reading)"] + (writing.map { ["topic write \($0)"] } ?? [])
    let who = user.map { "the user \($0)" } ?? "the user of this client, who gave no name,"
    return "let the broker's access list have "
      + lines.map { "`\($0)'" }.joined(separator: " and ")
      + " for \(who) as /usr/share/ballmachine/mosquitto/acl has it for office"
  }
}
