package import MachineLink

// The link's remedies in the words of this program: the link knows no flags and no subcommands.

extension LinkFault {
  /// What a technician can do; nil when only waiting helps.
  package var advice: String? {
    switch self {
    case .busUnreachable: "check that the D-Bus daemon runs and that --bus names it"
    case .adapterMissing(pinned: _?):
      "plug it in again; `ballmachine doctor` shows which adapters are there"
    case .adapterGone:
      "plug it in again, or run `systemctl restart ballmachine` to use another one;"
        + " `ballmachine doctor` shows which adapters are there"
    case .noneSaysMachine:
      "check that the machine is on, near, and not connected to a phone; `ballmachine scan --all`"
        + " lists what is in range: choose by --name or --address"
    case .onlyPerhaps, .needsAdoption:
      if let address = onlyAdoptable {
        "if it is your ball machine, run `ballmachine adopt \(address)`"
      } else {
        "if one of them is your ball machine, run `ballmachine adopt ADDRESS` with its address"
      }
    case .otherMachinesSeen:
      "check --address or --name, and that the machine is on, near, and not connected to a phone"
    case .ambiguousMachines: "choose one with --address"
    case .onlyOtherMachines: LinkStatus.otherMachine
    case .nearlyNamed:
      example.map { "choose it with --address \($0.choice), or in bash with --name $'\($0.name)'" }
    case .addressTypeChanged(let address, _, _):
      "if it is the same machine, give --address \(address), or start once with --forget-machine"
    case .ambiguousCharacteristics(let found) where LinkFault.haveEqualUUIDs(found):
      "name one by its handle, such as --characteristic \(example?.choice ?? "0x0011")"
    case .noUsableCharacteristic, .ambiguousCharacteristics:
      "name the right UUIDs with --service and --characteristic"
    default: remedy
    }
  }
}

extension LinkStatus {
  /// What a technician can do about the fault; nil when only waiting helps, or there is none.
  package var advice: String? {
    let loop = isLoop ? fault?.remedyOfLoop : nil
    guard let advice = loop ?? fault?.advice else { return nil }
    guard isChosenByMemory, fault?.isAboutAbsence == true else { return advice }
    return "\(advice); \(Self.otherMachine)"
  }

  /// What to do when the remembered machine is not the one that is meant.
  package static let otherMachine =
    "if another machine is meant, name it with --address, or start once with --forget-machine"
}
