package import Fleet
import Glibc
import Host
import TestSupport

/// Debian's mosquitto on a free port of this host. It ends with its last reference.
package final class Broker: Sendable {
  package struct Failure: Error, CustomStringConvertible { package var description: String }

  /// Its certificate, and whether its clients need one.
  package struct TLS: Sendable {
    package var certificate: String
    package var asksClients: Bool

    package init(
      certificate: String = BrokerCertificates.server,
      asksClients: Bool = false
    ) {
      self.certificate = certificate
      self.asksClients = asksClients
    }
  }

  package let port: Int
  private let folder: TemporaryDirectory
  private let tls: TLS?
  private let process: Locked<(program: RunningProgram, number: pid_t)>

  /// - Parameters:
  ///   - users: with their passwords; empty: everybody may connect.
  ///   - accessList: what they may read and write, as mosquitto's acl_file has it; nil: all.
  ///   - settings: more lines of its configuration.
  package init(
    users: [String: String] = [:],
    accessList: String? = nil,
    tls: TLS? = nil,
    settings: [String] = []
  ) async throws {
    folder = try TemporaryDirectory()
    self.tls = tls
    let passwords = users.map { "\($0):\($1)\n" }.joined()
    var lines = ["user root", "log_dest stderr", "log_type all"]
    lines.append("allow_anonymous \(users.isEmpty)")
    let passwordFile = try folder.write(passwords, to: "users")
    if !users.isEmpty { lines.append("password_file \(passwordFile)") }
    if let accessList { lines.append("acl_file \(try folder.write(accessList, to: "access"))") }
    var own: [String] = []
    if let tls {
      own = [
        "certfile \(try folder.write(tls.certificate, to: "certificate"))",
        "keyfile \(try folder.write(BrokerCertificates.key, to: "key"))",
        "cafile \(try folder.write(BrokerCertificates.authority, to: "authority"))",
        "require_certificate \(tls.asksClients)",
      ]
    }
    for remaining in [2, 1, 0] {
      let port = try Self.freePort()
      let all = lines + ["listener \(port) 127.0.0.1"] + own + settings
      _ = try folder.write(all.joined(separator: "\n") + "\n", to: "configuration")
      do {
        process = Locked(try await Self.start(folder))
        self.port = port
        return
      } catch let failure as Failure {
        // Another test has taken the port meanwhile.
        guard remaining > 0, failure.description.contains("in use") else { throw failure }
      }
    }
    throw Failure(description: "no free port")
  }

  /// Where it is, for a client.
  package func settings(
    user: String? = nil,
    password: String? = nil,
    tls: BrokerSettings.TLS? = nil
  ) -> BrokerSettings {
    var settings = BrokerSettings(host: "127.0.0.1", port: port, user: user)
    settings.passwordFile = password.flatMap { password in
      // Clients that connect read it meanwhile.
      let path = folder("password-\(password)")
      return access(path, F_OK) == 0 ? path : try? secret("password-\(password)", password)
    }
    settings.tls = tls ?? self.tls.map { _ in BrokerSettings.TLS(authority: folder("authority")) }
    return settings
  }

  /// The path of a new file.
  package func file(_ name: String, _ text: String) throws -> String {
    try folder.write(text, to: name)
  }

  /// The path of a file that no other user may read.
  package func secret(_ name: String, _ text: String) throws -> String {
    let path = try folder.write(text, to: name)
    chmod(path, 0o600)
    return path
  }

  package var log: String {
    String(decoding: process.withLock { $0.program }.output, as: UTF8.self)
  }

  /// Waits until it logs this.
  package func hasLogged(_ text: String) async -> Bool { await hasLogged { $0.contains(text) } }

  private func hasLogged(_ isIt: @escaping (Substring) -> Bool) async -> Bool {
    let isThere = { self.log.split(whereSeparator: \.isNewline).contains(where: isIt) }
    if isThere() { return true }
    let lines = process.withLock { $0.program }.lines
    for await line in lines where isIt(line[...]) { return true }
    return isThere()
  }

  /// Waits until it logs that this client has said farewell. Newer ones add its address.
  package func hasSeenFarewell(_ client: String) async -> Bool {
    await hasLogged { $0.contains("Client \(client) ") && $0.hasSuffix("disconnected.") }
  }

  /// Its own number, such as 2.0.11.
  package var version: Substring? {
    let words = log.split { $0.isWhitespace }
    guard let name = words.firstIndex(of: "mosquitto"), name + 2 < words.count else { return nil }
    return words[name + 2]
  }

  package func freeze() { send(SIGSTOP) }

  package func thaw() { send(SIGCONT) }

  /// Ends it at once, and waits.
  package func end() async {
    send(SIGKILL)
    _ = await process.withLock { $0.program }.result()
  }

  /// Starts it again after its end, with the same port and configuration.
  package func restart() async throws {
    let new = try await Self.start(folder)
    process.withLock { $0 = new }
  }

  private func send(_ signal: Int32) { _ = kill(process.withLock { $0.number }, signal) }

  /// Bash ends it when the tests end, however they do: that closes its input.
  private static let script = """
    PATH=$PATH:/usr/sbin
    command -v mosquitto > /dev/null || exit 1
    exec 3<&0
    mosquitto_passwd -U "$2/users" > /dev/null 2>&1
    mosquitto -c "$2/configuration" 2>&1 3<&- &
    number=$!
    echo "number $number"
    (read -r _ <&3; kill -KILL $number) > /dev/null 2>&1 &
    wait $number
    """

  private static func start(
    _ folder: TemporaryDirectory
  ) async throws -> (program: RunningProgram, number: pid_t) {
    let program = try RunningProgram([folder.path], script: script)
    var number: pid_t?
    var isRunning = false
    // Bash and the broker write in any order.
    for await line in program.lines {
      if line.hasPrefix("number ") { number = pid_t(line.dropFirst(7)) }
      if line.hasSuffix("running") { isRunning = true }
      if isRunning, let number { return (program, number) }
    }
    guard number != nil else {
      throw Failure(description: "no broker of MQTT is here: sudo apt-get install mosquitto")
    }
    throw Failure(description: String(decoding: program.output, as: UTF8.self))
  }

  private static func freePort() throws -> Int {
    let listener = try LocalListener()
    return listener.port
  }
}
