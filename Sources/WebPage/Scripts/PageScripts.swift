/// The page's modules, joined: one script for each root, so that a phone asks for few of them. A module that
/// another one loads, by `import("./x.js")`, is a root, too.
///
/// A root's script has the modules that the root needs, directly or not, and no earlier root's script
/// has. Each module is a block of its own, so that equal names of two don't meet, and what it exports
/// becomes the members of one object, `$x_js` for `x.js`. Scripts take those objects of each other.
package enum PageScripts {
  /// - Parameters:
  ///   - modules: their texts by their names, such as `app.js`.
  ///   - roots: in the order in which their scripts are loaded; first those that the page itself names.
  ///   - version: of all addresses of scripts.
  /// - Returns: the roots' scripts.
  package static func joined(
    _ modules: [String: String],
    roots: [String],
    version: String
  ) throws(ScriptProblem) -> [String: String] {
    var joint = Joint(version: version)
    for name in modules.keys.sorted() {
      joint.modules[name] = try ScriptModule(name, modules[name] ?? "")
    }
    var waiting = roots
    while !waiting.isEmpty {
      let root = waiting.removeFirst()
      if joint.scripts[root] == nil { waiting += try joint.add(root: root) }
    }
    let left = Set(modules.keys).subtracting(joint.places.keys)
    guard left.isEmpty else { throw joint.problem(left.sorted()[0], "nothing needs this module") }
    return joint.scripts
  }

  private struct Joint {
    let version: String
    var modules: [String: ScriptModule] = [:]
    /// The root in whose script a module is.
    var places: [String: String] = [:]
    var scripts: [String: String] = [:]

    init(version: String) { self.version = version }

    func problem(_ module: String, _ reason: String) -> ScriptProblem {
      var problem = ScriptProblem(line: 1, reason)
      problem.module = module
      return problem
    }

    /// - Returns: the modules that this script's load.
    mutating func add(root: String) throws(ScriptProblem) -> [String] {
      guard places[root] == nil else {
        throw problem(root, "it is loaded later, but “\(places[root] ?? "")” needs it at once")
      }
      var order: [ScriptModule] = []
      try place(root, of: root, below: [], &order)
      var foreign: [String: Set<String>] = [:]
      for module in order {
        for other in module.imports.map(\.module) where places[other] != root {
          foreign[places[other] ?? "", default: []].insert(object(other))
        }
      }
      var lines = foreign.sorted { $0.key < $1.key }.map { script, objects in
        "import { \(objects.sorted().joined(separator: ", ")) } from \"\(address(script))\";\n"
      }
      for module in order { lines.append(try block(module)) }
      let objects = order.filter { !$0.exports.isEmpty }.map { object($0.name) }
      if !objects.isEmpty { lines.append("export { \(objects.joined(separator: ", ")) };\n") }
      scripts[root] = lines.joined()
      return order.flatMap { module in
        module.pieces.compactMap { if case .load(let name) = $0 { name } else { nil } }
      }
    }

    /// Places a module behind those that it needs.
    private mutating func place(
      _ name: String,
      of root: String,
      below users: [String],
      _ order: inout [ScriptModule]
    ) throws(ScriptProblem) {
      guard let module = modules[name] else {
        throw problem(users.last ?? name, "no module “\(name)”")
      }
      guard !users.contains(name) else {
        let circle = users.map { "“\($0)”" }.joined(separator: ", ")
        throw problem(users.last ?? name, "\(circle) import each other in a circle")
      }
      guard places[name] == nil else { return }
      for other in module.imports {
        try place(other.module, of: root, below: users + [name], &order)
        let missing = other.names.map(\.theirs).first { theirs in
          modules[other.module]?.exports.contains(theirs) != true
        }
        if let missing { throw problem(name, "“\(other.module)” does not export “\(missing)”") }
      }
      places[name] = root
      order.append(module)
    }

    private func block(_ module: ScriptModule) throws(ScriptProblem) -> String {
      if let name = modules.keys.first(where: { module.words.contains(object($0)) }) {
        throw problem(module.name, "the name “\(object(name))” is taken")
      }
      let imports = module.imports.map { taken in
        let names = taken.names.map { $0.theirs == $0.own ? $0.own : "\($0.theirs): \($0.own)" }
        return "const { \(names.joined(separator: ", ")) } = \(object(taken.module));\n"
      }
      let text = module.pieces.map { piece in
        switch piece {
        case .text(let text): text
        // A script has its modules' objects, and the caller wants the module.
        case .load(let name):
          "import(\"\(address(name))\").then(script => script.\(object(name)))"
        }
      }
      let block = imports.joined() + text.joined()
      guard !module.exports.isEmpty else { return "{\n\(block)\n}\n" }
      let name = object(module.name)
      let exports = module.exports.joined(separator: ", ")
      return "const \(name) = {};\n{\n\(block)\nObject.assign(\(name), { \(exports) });\n}\n"
    }

    /// The name of the object that has a module's exports.
    private func object(_ module: String) -> String {
      "$" + String(module.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    private func address(_ script: String) -> String { "./\(script)?v=\(version)" }
  }
}
