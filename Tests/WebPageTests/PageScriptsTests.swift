import Testing
import WebPage

/// How the page's modules become few scripts.
struct PageScriptsTests {
  private func joined(
    _ modules: [String: String],
    roots: [String] = ["a.js"]
  ) throws(ScriptProblem) -> [String: String] {
    try PageScripts.joined(modules, roots: roots, version: "7")
  }

  private func problem(_ modules: [String: String], roots: [String] = ["a.js"]) -> String? {
    do throws(ScriptProblem) {
      _ = try joined(modules, roots: roots)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func aModuleComesBehindThoseThatItNeeds() throws {
    let scripts = try joined([
      "a.js": """
      // Why.
      import { one, two as own } from "./b.js";
      import {
        three,
      } from "./c.js";
        /// What.
      own(one, three); // stays
      """,
      "b.js":
        "import { three } from \"./c.js\";\nexport const one = f(1, [2, 3]), two = (a, b) => three;",
      "c.js": "export async function three() {}\n",
    ])
    #expect(
      scripts == [
        "a.js": """
        const $c_js = {};
        {
        async function three() {}

        Object.assign($c_js, { three });
        }
        const $b_js = {};
        {
        const { three } = $c_js;
        const one = f(1, [2, 3]), two = (a, b) => three;
        Object.assign($b_js, { one, two });
        }
        {
        const { one, two: own } = $b_js;
        const { three } = $c_js;
        own(one, three); // stays
        }
        export { $c_js, $b_js };

        """
      ]
    )
  }

  /// `d.js` is loaded by another module.
  @Test func aLaterScriptTakesWhatAnEarlierOneHas() throws {
    let scripts = try joined(
      [
        "a.js": "import { b } from \"./b.js\";\nb();\n",
        "b.js": "export class b {}\n",
        "c.js": "import { b } from \"./b.js\";\nimport(\"./d.js\").then(b);\n",
        "d.js": "import { b } from \"./b.js\";\n",
      ],
      roots: ["a.js", "c.js"]
    )
    #expect(
      scripts["c.js"] == """
        import { $b_js } from "./a.js?v=7";
        {
        const { b } = $b_js;
        import("./d.js?v=7").then(script => script.$d_js).then(b);

        }

        """
    )
    #expect(scripts["d.js"]?.hasPrefix("import { $b_js } from \"./a.js?v=7\";") == true)
  }

  /// What looks like an import, an export or a comment, and is none.
  @Test(arguments: [
    "const text = `\n// stays\nexport { a }\n`;", "const text = \"import \\\" x\";",
    "const found = /[/`\"]import(/.test(a) / 2 / 3;", "a.import.export;", "/* import x from 'y' */",
    "const text = `${a ? `import ${b}` : '`'}import x`;", "return_ = a / b; c = d / e;",
  ])
  func otherTextStays(text: String) throws {
    #expect(try joined(["a.js": text])["a.js"] == "{\n\(text)\n}\n")
  }

  @Test(arguments: [
    "import x from \"./b.js\";", "import * as x from \"./b.js\";", "import \"./b.js\";",
    "import { b } from \"b.js\";", "import { b } from \"../b.js\";",
    "import { b } from \"./b.js\"\nb();",
    "import { default as b } from \"./b.js\";", "import { other } from \"./b.js\";",
    "import { b } from \"./none.js\";", "{ import { b } from \"./b.js\"; }", "import.meta;",
    "import(name);", "import(\"./b.js\");", "import(\"./none.js\");", "export default 1;",
    "export { a };", "export * from \"./b.js\";", "export let a = 1;", "export var a = 1;",
    "export function* a() {}", "export const { a } = b;", "export const a = 1\nconst c = 2;",
    "export const a = b", "{ export const a = 1; }", "var a = 1;", "const $b_js = 1;", "(a", "a)",
    "(]",
    "`${a`", "\"a\n\"", "a = /b\n/;", "a = {} / 2;", "/* a",
  ])
  func anyOtherFormIsAProblem(text: String) {
    let modules = ["a.js": "import { b } from \"./b.js\";\n\(text)", "b.js": "export const b = 1;"]
    #expect(problem(modules) != nil, "\(text)")
  }

  @Test func theProblemNamesItsPlace() {
    #expect(
      problem(["a.js": "f();\n\nexport default 1;"])?.hasPrefix("a.js:3: here must be “const”")
        == true
    )
  }

  @Test func circlesAreAProblem() {
    let circle = [
      "a.js": "import { b } from \"./b.js\";\nexport const a = 1;",
      "b.js": "import { a } from \"./a.js\";\nexport const b = 1;",
    ]
    #expect(problem(circle) == "b.js:1: “a.js”, “b.js” import each other in a circle")
  }

  @Test func whatNothingNeedsIsAProblem() {
    #expect(problem(["a.js": "", "b.js": ""]) == "b.js:1: nothing needs this module")
  }
}
