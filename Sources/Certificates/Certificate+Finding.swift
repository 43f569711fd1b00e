package import Host
package import Programs

extension Certificate {
  /// Whether it is valid, for a doctor.
  ///
  /// - Parameters:
  ///   - program: what its codes begin with.
  ///   - path: of its file.
  ///   - names: what it is for, where that is to be said.
  ///   - remedy: how to get a new one.
  package func finding(
    _ program: String,
    _ path: String,
    for names: [String] = [],
    at now: WallTime = WallTime(),
    remedy: String
  ) -> Finding {
    let name = names.isEmpty ? path : "\(path), for \(names.joined(separator: ", ")),"
    func text(_ days: Int) -> String { "\(name) is valid for \(counted(days, "day"))" }
    switch validity(at: now) {
    case .early:
      return .problem(
        "\(program).certificateEarly",
        "\(path) is not valid before \(notBefore.localDate)",
        "set the box's clock"
      )
    case .expired:
      return .problem(
        "\(program).certificateExpired",
        "\(path) has expired on \(notAfter.localDate)",
        remedy
      )
    case .ending(let days): return .note("\(program).certificateEnds", text(days), remedy)
    case .lasting(let days): return .ok("\(program).certificateValid", text(days))
    }
  }
}
