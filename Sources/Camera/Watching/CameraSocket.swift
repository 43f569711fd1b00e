import Calibrations
import CourtMapping
import Glibc
package import Host
import JSON

/// Answers operators: `status`, `still` and `calibrate`, one request a line.
///
/// The group of the socket's file decides who may ask. An answer is a line of JSON; a still's bytes
/// follow it.
package actor CameraSocket {
  package static let name = "camera.sock"
  /// A calibration has 2 kB.
  private static let longestRequest = 16_384
  private static let clientLimit = 16

  private final class Client {
    let descriptor: FileDescriptor
    var splitter = LineSplitter(longest: longestRequest)
    var output: [UInt8] = []
    var watch: FileWatch?

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }
  }

  private nonisolated let executor = LoopExecutor.ofProgram()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let listener: ListeningSocket
  private let camera: CourtCamera
  private var clients: [Int: Client] = [:]
  private var lastNumber = 0

  package init(path: String, camera: CourtCamera) throws(UnixSocketError) {
    listener = try ListeningSocket(path: path)
    self.camera = camera
  }

  /// Answers until the task is cancelled.
  package func run() async {
    let watch = executor.watch(listener.descriptor.number) { [weak self] in
      self?.assumeIsolated { $0.accept() }
    }
    await cancellation()
    withExtendedLifetime(watch) {}
    clients = [:]
  }

  private func accept() {
    while let descriptor = try? listener.accept() {
      // One too many is closed at once.
      guard clients.count < Self.clientLimit else { continue }
      lastNumber += 1
      let (number, client) = (lastNumber, Client(descriptor))
      clients[number] = client
      client.watch = executor.watch(descriptor.number) { [weak self] in
        self?.assumeIsolated { $0.serve(number) }
      }
    }
  }

  private func serve(_ number: Int) {
    guard let client = clients[number] else { return }
    guard flush(client) else { return remove(number) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(client.descriptor.number, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return remove(number) }
    var requests: [CameraRequest?] = []
    buffer.withUnsafeBytes { bytes in
      client.splitter.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(count))) { _, content in
        if case .line(let line) = content {
          requests.append(try? JSONValue(text: line).decoded(as: CameraRequest.self))
        } else {
          requests.append(nil)
        }
      }
    }
    for request in requests {
      Task { [weak self] in await self?.answer(request, to: number) }
    }
  }

  private func answer(_ request: CameraRequest?, to number: Int) async {
    do {
      switch request {
      case .status: send(CameraAnswer(result: await camera.status), to: number)
      case .still:
        let picture = try await camera.still()
        send(CameraAnswer(result: StillRecord(bytes: picture.count)), picture, to: number)
      case .calibrate(let request):
        try await camera.calibrate(try CalibrationFile(request))
        send(CameraAnswer(result: await camera.status.calibration), to: number)
      case nil:
        throw CameraRefusal("the request is not status, still or calibrate, or it is malformed")
      }
    } catch {
      send(CameraAnswer<StillRecord>(error: "\(error)"), to: number)
    }
  }

  private func send(_ answer: some Encodable, _ bytes: [UInt8] = [], to number: Int) {
    guard let client = clients[number], let line = try? JSONEncoding.line(answer) else { return }
    client.output += line + [UInt8(ascii: "\n")] + bytes
    if !flush(client) { remove(number) }
  }

  /// - Returns: false if the client has gone.
  private func flush(_ client: Client) -> Bool {
    while !client.output.isEmpty {
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      let count = Glibc.send(
        client.descriptor.number,
        client.output,
        client.output.count,
        flags
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 || errno == EAGAIN else { return false }
      guard count > 0 else { break }
      client.output.removeFirst(count)
    }
    client.watch?.setWriting(!client.output.isEmpty)
    return true
  }

  private func remove(_ number: Int) { clients[number] = nil }
}
