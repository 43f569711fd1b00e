package import Host
import JSON

/// What a request has come to.
package struct RequestResult: Sendable {
  package let record: any Encodable & Sendable
  /// They follow the answer's line.
  package let bytes: [UInt8]

  package init(_ record: some Encodable & Sendable, bytes: [UInt8] = []) {
    self.record = record
    self.bytes = bytes
  }
}

extension LineServer {
  /// Answers requests of JSON-RPC 2.0, as the control socket does, but without a hello.
  ///
  /// - Parameters:
  ///   - longest: the bytes that a line may have.
  ///   - carryOut: does what is asked. An error that is no ``ControlError`` is a refusal.
  package init(
    path: String,
    longest: Int,
    carryOut: @escaping @Sendable (ControlLine) async throws -> RequestResult
  ) throws(UnixSocketError) {
    try self.init(path: path, longest: longest) { line in
      var id: JSONValue? = .null
      do {
        guard let line else { throw ControlError.tooLong(longest) }
        let request = try ControlLine(try ControlLine.json(of: line))
        id = request.id
        let result = try await carryOut(request)
        return id.map { Self.end(ControlMessage.response($0, result.record)) + result.bytes } ?? []
      } catch let error as ControlLine.Malformed {
        return Self.end(ControlMessage.failure(error.id, error.error))
      } catch {
        let error = error as? ControlError ?? ControlError(.refused, "\(error)")
        return id.map { Self.end(ControlMessage.failure($0, error)) } ?? []
      }
    }
  }

  private static func end(_ line: [UInt8]) -> [UInt8] { line + [UInt8(ascii: "\n")] }
}
