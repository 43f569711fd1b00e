import Glibc
package import Host
import YAML

/// Where drills are looked up by name: folders, the first one first, then those that are built in.
package struct DrillLibrary: Hashable, Sendable {
  /// The name of the folder of drills beside the configuration.
  package static let folderName = "drills"
  private static let suffix = ".yaml"
  private static let longestName = 40

  package let folders: [String]

  package init(folders: [String]) { self.folders = folders }

  /// The folder `drills` beside a configuration's main file.
  package init(beside configuration: String) {
    let folder = configuration.lastIndex(of: "/").map { String(configuration[...$0]) } ?? ""
    self.init(folders: [folder + Self.folderName])
  }

  /// Whether a drill can have that name: small letters, digits and dashes. It is never a path.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestName && text.first != "-"
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte.isDigit
          || byte == UInt8(ascii: "-")
      }
  }

  /// The names of all drills, sorted, and the files in the folders whose names are none.
  package func names() throws(SystemError) -> (drills: [String], misnamed: [String]) {
    var drills = Set(BuiltInDrills.all.keys)
    var misnamed: [String] = []
    for folder in folders {
      let names: [String]
      do throws(SystemError) { names = try Directory.names(in: folder) } catch {
        guard error.code == ENOENT else { throw error }
        continue
      }
      for name in names where !name.hasPrefix(".") {
        let stem = String(name.dropLast(Self.suffix.count))
        if name.hasSuffix(Self.suffix), Self.isName(stem) {
          drills.insert(stem)
        } else {
          misnamed.append("\(folder)/\(name)")
        }
      }
    }
    return (drills.sorted(), misnamed.sorted())
  }

  package func drill(named name: String) throws(DrillError) -> DrillFile {
    guard Self.isName(name) else { throw DrillError(Self.misnomer(name)) }
    for folder in folders {
      let path = "\(folder)/\(name)\(Self.suffix)"
      if access(path, F_OK) == 0 || errno != ENOENT {
        return try DrillFile(name: name, source: path)
      }
    }
    if let bytes = BuiltInDrills.all[name] {
      return try DrillFile(name: name, source: "built in", bytes: bytes)
    }
    throw DrillError(unknown(name))
  }

  /// A text that says that it is no drill's name.
  package static func misnomer(_ name: String) -> String {
    "“\(String(name.prefix(longestName)).printable)” is not a drill's name: small letters, digits"
      + " and dashes, such as two-corners"
  }

  private func unknown(_ name: String) -> String {
    let names = (try? names().drills) ?? Array(BuiltInDrills.all.keys)
    let hint =
      nearMiss(name, among: names).map { "did you mean \($0)?" }
      ?? "there are \(names.joined(separator: ", "))"
    return "there is no drill \(name), neither built in nor in \(folders.joined(separator: ", "));"
      + " \(hint)"
  }
}

extension DrillError {
  fileprivate init(_ text: String) {
    self.init(problems: [YAMLProblem(text: text)], isMissing: true)
  }
}
