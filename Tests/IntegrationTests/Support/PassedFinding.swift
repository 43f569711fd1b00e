import Foundation
import TestSupport

/// A finding of the doctor of a program beside the bridge, as a doctor prints it.
struct PassedFinding: Decodable {
  var check: String
  var code: String
  var verdict: String
  var text: String
  var remedy: String?

  /// - Parameter check: the program's word.
  static func all(in result: BuiltProgram.Result, by check: String) -> [PassedFinding] {
    result.lines.compactMap { try? JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
      .filter { $0.check == check }
  }
}
