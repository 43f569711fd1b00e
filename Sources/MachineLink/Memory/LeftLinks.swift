import BlueZ
package import Host
import JSON

/// Which link a run of ours has made, in the file `link.json` of the state directory.
///
/// A program that is killed leaves its link up. The next one may end that link, as it ends its own; one
/// that another program has made is left up.
package actor LeftLinks {
  package static let fileName = "link.json"

  private let executor = LoopExecutor()
  private let file: StateFile?
  private let boot: String
  private var kept: LeftLink?
  private var onlyLooks = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - directory: nil keeps nothing.
  ///   - boot: names the present life of the box: no link survives it.
  package init(in directory: StateDirectory?, boot: String = LeftLinks.presentBoot()) {
    file = directory.map { StateFile(Self.fileName, in: $0) }
    self.boot = boot
  }

  /// Source: Linux, Documentation/admin-guide/sysctl/kernel.rst, random.
  package static func presentBoot() -> String {
    let bytes = try? InputFile.bytes("/proc/sys/kernel/random/boot_id", longest: 64)
    return String(decoding: (bytes ?? []).prefix { $0 > 0x20 }, as: UTF8.self)
  }

  /// The link of an earlier run; nil if there is none, or if nothing can be read.
  package func recall() -> LeftLink? {
    guard let bytes = try? file?.read(),
      let content = try? Content(of: bytes), !boot.isEmpty, content.boot == boot,
      let address = BluetoothAddress(content.address)
    else { return nil }
    kept = LeftLink(address: address, isSimulated: content.simulated)
    return kept
  }

  /// Changes no file from now on.
  package func onlyLook() { onlyLooks = true }

  /// Keeps which link is ours; nil: none. What can't be kept only leaves a link up.
  package func keep(_ link: LeftLink?) {
    guard let file, link != kept, !onlyLooks else { return }
    kept = link
    guard let link else {
      try? file.remove()
      return
    }
    let content = Content(
      address: "\(link.address)",
      simulated: link.isSimulated,
      boot: boot
    )
    if let text = try? JSONEncoding.file(content) { try? file.write(text) }
  }

  /// Keeps it until the link has ended or the task is cancelled.
  package nonisolated func follow(_ link: BallMachineLink) async {
    for await status in await link.statuses() { await keep(status.made) }
  }

  /// ``keep(_:)`` for a program that ends: a disk that does not answer must not hold the machine's lock.
  package nonisolated func keepAtEnd(_ link: LeftLink?) async {
    try? await waiting(atMost: .seconds(1)) { await self.keep(link) }
  }

  private struct Content: Codable, VersionedContent {
    static let version = 1
    var version: Int = Self.version
    var address: String
    var simulated: Bool
    var boot: String
  }
}
