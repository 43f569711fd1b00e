import Glibc
import Host
package import YAML

extension YAMLDocument {
  /// Reads a program's configuration.
  ///
  /// - Parameters:
  ///   - given: the file that was named; nil: none.
  ///   - standard: otherwise this one, if it is there.
  /// - Throws: a ``Failure`` with all that is wrong, a line each.
  package static func load(_ given: String?, orElse standard: String) throws -> Self {
    var loader = YAMLLoader<Self>()
    let path = given ?? standard
    if given != nil || access(path, F_OK) == 0 { loader.read(path, .named) }
    guard loader.problems.isEmpty else {
      throw Failure(
        loader.isRefusal ? .noPermission : .configuration,
        lines: loader.problems.map(\.description)
      )
    }
    return loader.values
  }
}
