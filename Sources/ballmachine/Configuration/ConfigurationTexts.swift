// The schema as text for people.

import Configuration

extension ConfigurationSchema {
  /// A file with every key as a comment: the program's defaults apply until the user removes a `#`.
  static let exampleFile: String = {
    let head = """
      # The configuration of the ball machine bridge, see ballmachine.yaml(5).
      #
      # Every key is listed with its default, or with an example if it has no default. To set a key,
      # remove the # before it. Then run `ballmachine check-config`, which checks this file, and
      # `systemctl reload ballmachine`, which applies the changes that need no restart. Files *.yaml
      # in config.d beside this one set single keys; the last file, in the order of names, wins.

      """
    return head + sections.map(\.example).joined()
  }()

  /// A configuration file with every value in force and where it comes from.
  static func file(of configuration: EffectiveConfiguration) -> String {
    sections.map { section in
      let lines = section.keys.map { key in
        let origin = configuration.origins[key.path].map { "\($0)" } ?? "default"
        return "  \(key.name): \(key.yaml(configuration.values))  # \(origin)\n"
      }
      return "\(section.name):\n" + lines.joined()
    }.joined()
  }
}

extension ConfigurationSection {
  fileprivate var example: String {
    let needsRestart = keys.contains { $0.effect == .afterRestart }
    let summary = "\(summary)\(needsRestart ? " (a change needs a restart)" : "")."
    return "\n\(summary.commented(indent: ""))\(name):\n"
      + keys.map(\.commentedExample).joined(separator: "\n")
  }
}

extension ConfigurationKey {
  fileprivate var commentedExample: String {
    "\(documentation) Allowed: \(allowed).".commented(indent: "  ") + "  #\(name): \(example)\n"
  }
}

extension String {
  /// In lines of a YAML comment.
  fileprivate func commented(indent: String) -> String {
    wrapped(self, to: 96 - indent.count).map { "\(indent)# \($0)\n" }.joined()
  }
}
