import Testing
import WebPage

/// What phones get of the page's files.
struct PageFileTests {
  @Test func aScriptGoesWithoutItsLinesOfComments() {
    let script = """
      // Why.
      import { a } from "./a.js"; // stays
        /// What.
        a("http://b");

      const c = `
       and = und`;

      """
    let sent = """
      import { a } from "./a.js"; // stays
        a("http://b");

      const c = `
       and = und`;

      """
    #expect(PageFile.withoutComments(Array(script.utf8)) == Array(sent.utf8))
  }
}
