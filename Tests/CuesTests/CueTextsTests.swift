import Cues
import TestSupport
import Testing

struct CueTextsTests {
  @Test(arguments: CueLanguage.allCases)
  func everyCueIsSaidInEveryLanguage(_ language: CueLanguage) throws {
    for name in Cue.Name.allCases {
      let text = try #require(CueTexts.builtIn.text(of: Cue(name, seconds: 7), in: language))
      #expect(!text.isEmpty && !text.contains("{"))
      #expect(text.contains("7") == [.countdown, .nextSet, .rest].contains(name))
    }
    #expect(
      CueTexts.builtIn.text(of: Cue(.stopNotDelivered), in: language)
        == (language == .en ? "Not stopped! Use the switch!" : "Nicht gestoppt! Schalter benutzen!")
    )
  }

  @Test func aFileSetsWhatItNames() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      "en:\n  live: \"{Here} they come {seconds}\"\n  link-back: null\n",
      to: "cues.yaml"
    )
    let (texts, problems) = CueTexts.load(file)
    #expect(problems.isEmpty)
    #expect(texts.text(of: Cue(.live), in: .en) == "{Here} they come ")
    #expect(texts.text(of: Cue(.linkBack), in: .en) == nil)
    #expect(texts.text(of: Cue(.stopped), in: .en) == "Stopped.")
    #expect(texts.text(of: Cue(.live), in: .de) == "Achtung, Bälle!")
  }

  @Test func mistakesInAFileHaveTheirPlaces() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      "en:\n  lvie: \"a\"\n  stopped: [1]\nfr: {live: \"a\"}\n",
      to: "c.yaml"
    )
    let problems = CueTexts.load(file).problems.map {
      "\($0)".replacing(folder.path + "/", with: "")
    }
    #expect(
      problems == [
        "c.yaml:2:3: there is no key `lvie` in en; did you mean `live`?",
        "c.yaml:3:12: en.stopped: a list is not what is said, in one line",
        "c.yaml:4:1: there is no section `fr`; there are en, de",
      ]
    )
  }
}
