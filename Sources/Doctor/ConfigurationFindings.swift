package import Configuration
package import Programs

extension Finding {
  /// Whether the configuration and its command table are valid: a finding for each mistake.
  package static func findings(
    on configuration: Result<EffectiveConfiguration, ConfigurationError>
  ) -> [Finding] {
    switch configuration {
    case .success(let configuration):
      let blank = configuration.blankWarnings.map {
        Finding.note(.configurationBlank, $0, "write the file again, or remove it")
      }
      return blank + [
        .ok(.configurationValid, configuration.origin + " valid"),
        .ok(
          .tableValid,
          (configuration.values.court.table ?? "the command table that is built in") + ": valid"
        ),
      ]
    case .failure(let error):
      return error.problems.map { problem in
        let isOfTable = error.tableProblems.contains(problem)
        return Finding(
          isOfTable ? .tableInvalid : .configurationInvalid,
          .problem,
          "\(problem)",
          error.isRefusal
            ? "run it as root, or as a user of the group ballmachine"
            : "correct it, then check it with `ballmachine check-\(isOfTable ? "table" : "config")`",
          isRefusal: error.isRefusal
        )
      }
    }
  }
}

extension EffectiveConfiguration {
  fileprivate var origin: String {
    switch files.count {
    case 0: "no configuration file, but the defaults, which are"
    case 1: "\(files[0]) is"
    default: files.joined(separator: ", ") + " are"
    }
  }
}
