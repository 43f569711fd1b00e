import BlueZ
package import Host
import StateFiles

/// Which link a run of ours has made, in the file `link.json` of the state directory.
///
/// A program that is killed leaves its link up. The next one may end that link, as it ends its own; one
/// that another program has made is left up.
package actor LeftLinks {
  package static let fileName = "link.json"

  private let executor = LoopExecutor()
  private let file: KeptFile<Content>
  private let boot: String
  private var kept: LeftLink?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - directory: nil keeps nothing.
  ///   - boot: names the present life of the box: no link survives it.
  package init(in directory: StateDirectory?, boot: String = LeftLinks.presentBoot()) {
    file = KeptFile(
      directory.map { StateFile(Self.fileName, in: $0) },
      loss: "no link is known",
      // What is not known only leaves a link up.
      warn: { _ in }
    )
    self.boot = boot
  }

  /// Source: Linux, Documentation/admin-guide/sysctl/kernel.rst, random.
  package static func presentBoot() -> String {
    let bytes = try? InputFile.bytes("/proc/sys/kernel/random/boot_id", longest: 64)
    return String(decoding: (bytes ?? []).prefix { $0 > 0x20 }, as: UTF8.self)
  }

  /// The link of an earlier run; nil if there is none, or if nothing can be read.
  package func recall() -> LeftLink? {
    guard case .content(let content) = file.read(), !boot.isEmpty, content.boot == boot else {
      return nil
    }
    kept = LeftLink(address: content.address, isSimulated: content.simulated)
    return kept
  }

  /// Changes no file from now on.
  package func onlyLook() { file.onlyLook() }

  /// Keeps which link is ours; nil: none. What can't be kept only leaves a link up.
  package func keep(_ link: LeftLink?) {
    guard link != kept else { return }
    kept = link
    let content = link.map {
      Content(address: $0.address, simulated: $0.isSimulated, boot: boot)
    }
    try? file.write(content)
  }

  /// Keeps it until the link has ended or the task is cancelled.
  package nonisolated func follow(_ link: BallMachineLink) async {
    for await status in await link.statuses() { await keep(status.made) }
  }

  /// ``keep(_:)`` for a program that ends: a disk that does not answer must not hold the machine's lock.
  package nonisolated func keepAtEnd(_ link: LeftLink?) async {
    try? await waiting(atMost: .seconds(1)) { await self.keep(link) }
  }

  private struct Content: Codable {
    var address: BluetoothAddress
    var simulated: Bool
    var boot: String
  }
}
