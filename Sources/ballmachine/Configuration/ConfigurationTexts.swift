// The configuration as text for people.

import Configuration
import YAML

extension BridgeConfiguration {
  /// A file with every key as a comment, but for the apron that tennis players need: otherwise the
  /// program's defaults apply until the user removes a `#`.
  static let exampleFile = schema.example(
    head: """
      # The configuration of the ball machine bridge, see ballmachine.yaml(5).
      #
      # Only court.apron is set. Every other key is listed with its default, or with an example if it
      # has no default: to set it, remove the # before it. Then run `ballmachine check-config`, which
      # checks this file, and `systemctl reload ballmachine`, which applies the changes that need no
      # restart. Files *.yaml in config.d beside this one set single keys; the last file, in the order
      # of names, wins.

      """,
    setting: ["court.apron"]
  )
}

extension EffectiveConfiguration {
  /// A configuration file with every value in force and where it comes from.
  var file: String {
    BridgeConfiguration.schema.sections.map { section in
      let lines = section.keys.map { key in
        let origin = origins[key.path].map { "\($0)" } ?? "default"
        return "  \(key.name): \(key.yaml(values))  # \(origin)\n"
      }
      return "\(section.name):\n" + lines.joined()
    }.joined()
  }
}
