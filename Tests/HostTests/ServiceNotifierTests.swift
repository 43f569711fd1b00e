import Foundation
import Glibc
import Testing

@testable import Host

/// The environment belongs to the whole process, so what systemd sets there has processes of its own.
struct ServiceNotifierTests {
  @Test func systemdHearsTheServicesLifeInOrder() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotifySocket()
      setenv("WATCHDOG_USEC", "10000000", 1)
      let notifier = ServiceNotifier()
      notifier.status("waiting for BlueZ")
      notifier.ready()
      try #require(notifier.heartbeat).beat()
      notifier.stopping()
      await notifier.flush()
      #expect(
        socket.received() == ["STATUS=waiting for BlueZ", "READY=1", "WATCHDOG=1", "STOPPING=1"]
      )
    }
  }

  @Test func aReloadTellsWhenItBegan() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotifySocket()
      func now() -> Double { ProcessInfo.processInfo.systemUptime * 1e6 }
      let notifier = ServiceNotifier()
      let earliest = now().rounded(.down)
      notifier.reloading()
      let latest = now().rounded(.up)
      await notifier.flush()
      let lines = try #require(socket.received().first).split(separator: "\n")
      #expect(lines.first == "RELOADING=1")
      let since = try #require(lines.last?.split(separator: "=").last.flatMap { Double($0) })
      #expect((earliest...latest).contains(since), "\(earliest) \(since) \(latest)")
    }
  }

  @Test func whileSystemdHangsOnlyTheNewestWordsWait() {
    var waiting = WaitingNotifications()
    let begins = (1...100).flatMap { number in
      [
        waiting.add(.status("\(number)")), waiting.add(.watchdog),
        number == 50 ? waiting.add(.ready) : false,
      ]
    }
    #expect(begins.first == true && begins.count { $0 } == 1)
    let told = (1...4).map { _ in waiting.popFirst() }
    #expect(told == [.ready, .status("100"), .watchdog, nil])
    let beginsAgain = waiting.add(.stopping)
    #expect(beginsAgain)
  }

  @Test func withoutSystemdNobodyIsTold() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      unsetenv("WATCHDOG_USEC")
      let notifier = ServiceNotifier()
      notifier.ready()
      await notifier.flush()
      #expect(notifier.heartbeat == nil)
    }
  }

  @Test func aHeartIsToBeatTwiceInTheWatchdogsTime() async {
    await #expect(processExitsWith: .success) {
      let notifier = ServiceNotifier()
      setenv("WATCHDOG_USEC", "10000000", 1)
      #expect(notifier.heartbeat?.period == .seconds(5))
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      #expect(notifier.heartbeat?.period == .seconds(5))
      // Of the process that has started this one, say
      setenv("WATCHDOG_PID", "\(getppid())", 1)
      #expect(notifier.heartbeat == nil)
    }
  }

  @Test(arguments: [
    ("ready", "ready"), ("a\nREADY=1", "a READY=1"), ("a\r\u{1b}[1mb", "a  [1mb"), ("Ü", "Ü"),
    (String(repeating: "é", count: 600), String(repeating: "é", count: 512)),
  ])
  func aStatusIsOneShortLine(_ status: String, _ line: String) {
    #expect(ServiceNotification.status(status).text == "STATUS=\(line)")
  }
}

/// The datagram socket that stands for systemd's, in a process that is about to end.
private struct NotifySocket {
  private let descriptor: FileDescriptor

  init() throws {
    // No file: an abstract name, which the kernel chooses.
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    descriptor = FileDescriptor(owning: number)
    try descriptor.setNonBlocking()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var length = socklen_t(MemoryLayout<sa_family_t>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(number, $0, length) == 0)
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
        #expect(getsockname(number, $0, &length) == 0)
      }
    }
    let name = withUnsafeBytes(of: &address.sun_path) { path in
      path.prefix(Int(length) - MemoryLayout<sa_family_t>.size).dropFirst()
    }
    setenv("NOTIFY_SOCKET", "@" + String(decoding: name, as: UTF8.self), 1)
  }

  /// What has come, a datagram each.
  func received() -> [String] {
    var buffer = [UInt8](repeating: 0, count: 8192)
    var datagrams: [String] = []
    while case let count = recv(descriptor.number, &buffer, buffer.count, 0), count >= 0 {
      datagrams.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
    return datagrams
  }
}
