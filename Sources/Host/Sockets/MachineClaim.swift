import Glibc

/// The right to write to one machine, which one process of the box has at a time, whatever folders and
/// user it has.
///
/// It is an abstract Unix socket whose name says which bus and which machine: no file, so no user can remove
/// it, and the kernel frees it however the process ends. Its listener takes stops, so that the process that
/// has the machine can be reached although its sockets are gone. Any user can take such a name first. So it
/// keeps a ball from being sent, and never a stop.
///
/// Processes in another network namespace don't see it.
package final class MachineClaim: Sendable {
  /// What all names begin with.
  static let prefix = "ballmachine/machine/"

  /// A client that sends a line stops the machine; one that only connects asks who has it.
  package let listener: ListeningSocket

  /// Claims the machine if no other process has it.
  ///
  /// - Parameters:
  ///   - bus: the bus's own identifier. Buses of tests have machines of the same addresses.
  ///   - machine: the machine's address.
  package init(_ machine: String, on bus: String) throws(MachineClaimError) {
    let name = Self.prefix + bus.filter { $0.isLetter || $0.isNumber }.prefix(48) + "/" + machine
    do throws(UnixSocketError) {
      listener = try ListeningSocket(abstract: name)
    } catch {
      guard case .inUse = error else { throw .socket(error) }
      throw .held(by: MachineHolder(of: name))
    }
  }

  /// The claims of all processes that this one can see, at most ``mostHolders``.
  ///
  /// - Parameter table: the kernel's list of Unix sockets.
  package static func holders(
    in table: [UInt8]? = try? InputFile.bytes("/proc/self/net/unix", longest: 1 << 24)
  ) -> [MachineHolder] {
    names(in: table ?? []).prefix(mostHolders).map { MachineHolder(of: $0) }
  }

  /// A user who makes many must neither delay a stop nor hide the process that has the machine: to ask so
  /// many takes some 50 ms.
  private static let mostHolders = 4096

  /// The claimed names in `/proc/net/unix`, each once.
  static func names(in table: [UInt8]) -> [String] {
    var names: [String] = []
    for line in table.split(separator: UInt8(ascii: "\n")) {
      // Num RefCount Protocol Flags Type St Inode Path
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count == 8, let path = String(validating: fields[7], as: UTF8.self),
        path.hasPrefix("@" + prefix)
      else { continue }
      let name = String(path.dropFirst())
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}

/// A process that has claimed a machine.
package struct MachineHolder: Hashable, Sendable {
  /// The claim's abstract name; nil of a process that is known by its lock alone.
  package let name: String?
  /// Nil where the kernel doesn't say, as of a process that only has the name and does not listen.
  package let process: Int32?
  package let user: UInt32?

  package init(name: String?, process: Int32?, user: UInt32?) {
    self.name = name
    self.process = process
    self.user = user
  }

  /// Asks the kernel who listens. Connecting alone asks the holder for nothing.
  init(of name: String) {
    self.name = name
    var peer: PeerCredentials?
    if let address = try? UnixSocketAddress(abstract: name),
      let socket = try? UnixSocketAddress.socket(), (try? socket.setNonBlocking()) != nil,
      address.withSocketAddress({ connect(socket.number, $0, $1) }) == 0
    {
      peer = PeerCredentials(of: socket)
    }
    process = peer.flatMap { $0.process > 0 ? $0.process : nil }
    user = peer?.user
  }
}

extension MachineHolder: CustomStringConvertible {
  /// Which process it is, as the subject of a sentence.
  package var description: String {
    let owner = user.map { " of the user \(UserName($0))" } ?? ""
    return process.map { "process \($0)\(owner)" } ?? "a process\(owner)"
  }

  /// What to tell a person: that the process controls the machine, and how to end that.
  package var whatToDo: String { "\(self) controls the machine: \(remedy)" }

  /// How to end it.
  package var remedy: String {
    guard let process else { return "find it with `ss -xlp | grep ballmachine`, and end it" }
    let isOthers = user.map { $0 != geteuid() && geteuid() != 0 } ?? false
    let doers = isOthers ? user.map { ", as \(UserName($0)) or root" } : nil
    return "end it with `kill \(process)`\(doers ?? "")"
  }
}

/// Why a machine was not claimed.
package enum MachineClaimError: Error, Hashable, Sendable {
  case held(by: MachineHolder)
  case socket(UnixSocketError)
}
