import Host

extension YAMLSchema {
  /// A file with every key, as a comment but for those that it sets: otherwise the defaults apply
  /// until the user removes a `#`.
  ///
  /// - Parameters:
  ///   - head: its first lines, as comments.
  ///   - set: the paths of the keys that are set to their examples.
  package func example(
    head: String,
    setting set: Set<String> = []
  ) -> String {
    func comment(_ text: String, indent: String = "") -> String {
      wrapped(text, to: 96 - indent.count).map { "\(indent)# \($0)\n" }.joined()
    }
    return head
      + sections.map { section in
        let needsRestart = section.keys.contains { $0.effect == .afterRestart }
        let summary = section.summary + (needsRestart ? " (a change needs a restart)." : ".")
        let keys = section.keys.map { key in
          comment("\(key.documentation) Allowed: \(key.allowed).", indent: "  ")
            + "  \(set.contains(key.path) ? "" : "#")\(key.name): \(key.example)\n"
        }
        return "\n\(comment(summary))\(section.name):\n" + keys.joined(separator: "\n")
      }.joined()
  }
}
