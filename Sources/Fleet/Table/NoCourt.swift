/// A broker shows no court, which has one of three causes.
package struct NoCourt: Error, Hashable, Sendable, CustomStringConvertible {
  private let user: String?
  private let keepsMessages: Bool

  /// - Parameters:
  ///   - user: the user's name at the broker, if there is one.
  ///   - keepsMessages: whether the broker keeps what a court has said.
  package init(user: String?, keepsMessages: Bool = true) {
    self.user = user
    self.keepsMessages = keepsMessages
  }

  package var description: String {
    guard keepsMessages else {
      return "this broker keeps no messages, and shows of a court only what it says from now on: "
        + "let it keep messages (retain)"
    }
    return "no court is on this broker, or this user may not read them: "
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
