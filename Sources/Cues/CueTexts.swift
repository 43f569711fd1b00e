import Host
package import YAML

/// The languages of the built-in texts.
package enum CueLanguage: String, CaseIterable, Hashable, Sendable {
  case en, de
}

/// What each cue says, from a file that a person can edit.
package struct CueTexts: Hashable, Sendable {
  private struct Key: Hashable {
    var language: CueLanguage
    var name: Cue.Name
  }

  private var texts: [Key: String] = [:]

  /// Without any text.
  package init() {}

  /// Nil: it is not said.
  subscript(language: CueLanguage, name: Cue.Name) -> String? {
    get { texts[Key(language: language, name: name)] }
    set { texts[Key(language: language, name: name)] = newValue }
  }

  /// What to say; nil: nothing.
  package func text(of cue: Cue, in language: CueLanguage) -> String? {
    guard let text = self[language, cue.name] else { return nil }
    let parts = text.split(separator: "{", omittingEmptySubsequences: false)
    let placeholder = "seconds}"
    return parts.dropFirst().reduce(parts.first.map(String.init) ?? "") { text, part in
      guard part.hasPrefix(placeholder) else { return text + "{" + part }
      return text + (cue.seconds.map { "\($0)" } ?? "") + part.dropFirst(placeholder.count)
    }
  }

  /// The texts that are part of the program.
  package static let builtIn: CueTexts = {
    var loader = YAMLLoader<CueTexts>()
    loader.read(PackageResources.cues_yaml, of: "the built-in texts")
    precondition(loader.problems.isEmpty, "\(loader.problems)")
    return loader.values
  }()

  /// The built-in texts, with those of a file in their place.
  package static func load(_ file: String) -> (texts: CueTexts, problems: [YAMLProblem]) {
    var loader = YAMLLoader<CueTexts>(over: builtIn)
    loader.read(file, .named)
    return (loader.values, loader.problems)
  }
}

extension CueTexts: YAMLDocument {
  package static let schema = YAMLSchema<Self>(
    of: "a file of texts",
    typicalKey: "en",
    CueLanguage.allCases.map { language in
      YAMLSection(
        language.rawValue,
        "What is said",
        effect: .afterRestart,
        keys: Cue.Name.allCases.map { name in
          .value(
            name.rawValue,
            .text("what is said, in one line", longest: 200),
            \.[language, name],
            "Of this cue."
          )
        }
      )
    }
  )
}
