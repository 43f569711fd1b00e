import Host
import Terminal

// What every live view has: the mode at its top, the last stop and the keys at its bottom.

/// `SIM` or `REAL`; an unknown mode counts as real.
func modeBadge(_ mode: String?) -> StyledText {
  mode == "SIM" ? StyledText(" SIM ", .badge) : StyledText(" REAL ", .alarm)
}

extension [StyledText] {
  /// As much as the terminal shows.
  func rendered(width: Int, height: Int, _ abilities: TerminalAbilities) -> [String] {
    prefix(Swift.max(height, 0)).map { $0.cut(to: Swift.max(width, 1)).rendered(abilities) }
  }
}

extension LiveViewState.StopOutcome {
  /// - Parameter isSilent: whether the service hasn't answered for long.
  func lines(isSilent: Bool, width: Int) -> [StyledText] {
    let (text, style): (String, TextStyle) =
      switch self {
      case .underWay:
        ("stop: on its way" + (isSilent ? "; use the machine's switch" : ""), .yellow)
      case .known(let report): (report.text, report.failure == nil ? .green : .red)
      case .failed(let error): ("\(error)", .red)
      }
    return wrapped(text, to: width).map { StyledText($0, style) }
  }
}

extension LiveViewState.Keys {
  func lines(width: Int) -> [StyledText] {
    let text =
      switch self {
      case .endsRun: "Ctrl-C ends it, with a stop command to the machine."
      case .endsView:
        "Ctrl-C ends this view, not the service. `ballmachine stop' stops the machine."
      case .stopsAndLeaves: ""
      }
    guard text.isEmpty else { return wrapped(text, to: width).map { StyledText($0, .dim) } }
    return [StyledText(" STOP ", .alarm) + StyledText(" space or s    q leaves", .bold)]
  }
}
