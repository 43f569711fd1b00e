import Foundation
import Glibc
import Host
import TestSupport
import Testing

struct ListeningSocketTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func aStaleSocketIsReplaced() throws {
    let path = directory("socket")
    try leaveStaleSocket(at: path)
    #expect(throws: SystemError("connect to \(path)", code: ECONNREFUSED)) {
      try UnixSocketAddress(path: path).connected()
    }
    let socket = try ListeningSocket(path: path)
    _ = try UnixSocketAddress(path: path).connected()
    #expect(try socket.accept() != nil)
    #expect(try socket.accept() == nil)
  }

  @Test func aSocketThatSomebodyListensOnStays() throws {
    let path = directory("socket")
    let socket = try ListeningSocket(path: path)
    #expect(throws: UnixSocketError.inUse(path)) { try ListeningSocket(path: path) }
    _ = try UnixSocketAddress(path: path).connected()
    _ = socket
  }

  /// A lock on a directory takes no more than the right to read it.
  @Test func aLockThatAnotherUserHoldsKeepsNoServiceFromListening() throws {
    let path = directory("socket")
    let number = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(number >= 0 && flock(number, LOCK_EX) == 0)
    defer { close(number) }
    let socket = try ListeningSocket(path: path)
    _ = try UnixSocketAddress(path: path).connected()
    #expect(try socket.accept() != nil)
  }

  @Test func whatIsNoSocketStays() throws {
    let path = try directory.write("precious", to: "file")
    #expect(throws: UnixSocketError.notASocket(path)) { try ListeningSocket(path: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func onlyItsOwnFileIsRemoved() throws {
    let path = directory("socket")
    var socket: ListeningSocket? = try ListeningSocket(path: path)
    _ = unlink(path)
    _ = try directory.write("another one's", to: "socket")
    withExtendedLifetime(socket) {}
    socket = nil
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test(.mustEnd)
  func ofManyThatFindTheSameStaleSocketOneListens() async throws {
    for round in 0..<20 {
      let path = directory("socket \(round)")
      try leaveStaleSocket(at: path)
      let sockets = await withTaskGroup(of: ListeningSocket?.self) { group in
        for _ in 0..<4 { group.addTask { try? ListeningSocket(path: path) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(sockets.count { $0 != nil } == 1)
      _ = try UnixSocketAddress(path: path).connected()
    }
  }

  @Test func pathsThatDoNotFitAreRefused() {
    let long = "/tmp/" + String(repeating: "a", count: 103)
    #expect(long.utf8.count == UnixSocketAddress.longestPath + 1)
    #expect(throws: UnixSocketError.pathTooLong(long)) { try ListeningSocket(path: long) }
    #expect("\(UnixSocketError.pathTooLong(long))".contains("108 bytes, at most 107 fit"))
    #expect(throws: UnixSocketError.emptyPath) { try ListeningSocket(path: "") }
    #expect(throws: UnixSocketError.system(SystemError("listen on /none/x", code: ENOENT))) {
      try ListeningSocket(path: "/none/x")
    }
  }

  @Test func theLongestPathWorks() throws {
    let name = String(
      repeating: "a",
      count: UnixSocketAddress.longestPath - directory.path.utf8.count - 1
    )
    let socket = try ListeningSocket(path: directory(name))
    _ = try UnixSocketAddress(path: socket.path).connected()
  }

  /// What a process that crashed leaves behind.
  @Test func aTurnAcceptsSomeOfManyClients() throws {
    let socket = try ListeningSocket(path: directory("socket"))
    let clients = try (0...ListeningSocket.turnLength).map { _ in
      try UnixSocketAddress(path: socket.path).connected()
    }
    var taken: [FileDescriptor] = []
    for count in [ListeningSocket.turnLength, clients.count, clients.count] {
      #expect(socket.acceptTurn { taken.append($0) })
      #expect(taken.count == count)
    }
  }

  @Test func aTurnEndsWhereTheSystemHasNoRoom() throws {
    let socket = try ListeningSocket(path: directory("socket"))
    let clients = try (0..<3).map { _ in try UnixSocketAddress(path: socket.path).connected() }
    var tried = 0
    let hasRoom = socket.acceptTurn { (_) throws(SystemError) in
      tried += 1
      if tried == 2 { throw SystemError("wait for a client", code: EMFILE) }
    }
    #expect(!hasRoom && tried == 2)
    // The last one still waits.
    #expect(socket.acceptTurn { _ in tried += 1 } && tried == 3)
    withExtendedLifetime(clients) {}
  }

  private func leaveStaleSocket(at path: String) throws {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = FileDescriptor(owning: number)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }
}
