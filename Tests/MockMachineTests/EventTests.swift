import Foundation
import Testing

@testable import MockMachine

@Suite struct EventTests {
  private func json(_ kind: MockEvent.Kind, time: Double = 12.345) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(MockEvent(kind: kind, time: time)), as: UTF8.self)
  }

  private func write(_ value: [UInt8], _ form: MockWrite.Form = .request) -> MockEvent.Kind {
    let characteristic = MockUUID.ballMachineCommand
    return .write(
      MockWrite(characteristic: characteristic, value: value, form: form),
      machine: "F0:F1:F2:F3:F4:F5"
    )
  }

  @Test func aWriteShowsItsText() throws {
    #expect(
      try json(write(Array("105001050012002000".utf8))) == """
        {"event":"write","machine":"F0:F1:F2:F3:F4:F5","t":12.345,"type":"request",\
        "value":"105001050012002000"}
        """
    )
  }

  @Test(
    arguments: [([0xff, 0x00], "ff00"), ([0x0a], "0a"), ([0xc3], "c3")] as [([UInt8], String)]
  )
  func whatIsNoTextIsHexadecimal(_ value: [UInt8], _ hex: String) throws {
    #expect(
      try json(write(value, .command)) == """
        {"event":"write","hex":"\(hex)","machine":"F0:F1:F2:F3:F4:F5","t":12.345,"type":"command"}
        """
    )
  }

  @Test func aWriteThatIsReadShowsItsBytesToo() throws {
    let frame: [UInt8] = [0x5a, 0xa5, 0x83, 40, 40, 20, 45, 50, 1, 0xd7]
    var write = MockWrite(characteristic: .ballMachineCommand, value: frame, form: .request)
    write.text = MockFrame(frame, .modbus)?.text
    #expect(
      try json(.write(write, machine: "F0:F1:F2:F3:F4:F5")) == """
        {"event":"write","hex":"5aa5832828142d3201d7","machine":"F0:F1:F2:F3:F4:F5","t":12.345,\
        "type":"request","value":"40,40,20,45,50"}
        """
    )
  }

  @Test(arguments: [
    (
      MockEvent.Kind.called(
        method: "Connect",
        adapterName: "hci0",
        machine: "F0:F1:F2:F3:F4:F5",
        client: ":1.4"
      ),
      #"{"adapterName":"hci0","client":":1.4","event":"call","machine":"F0:F1:F2:F3:F4:F5","method":"Connect","t":1.5}"#
    ),
    (
      .called(method: "StartDiscovery", adapterName: "hci0", machine: nil, client: ":1.4"),
      #"{"adapterName":"hci0","client":":1.4","event":"call","method":"StartDiscovery","t":1.5}"#
    ),
    (
      .disconnected(machine: "F0:F1:F2:F3:F4:F5", adapterName: "hci0", cause: .timeout),
      #"{"adapterName":"hci0","cause":"timeout","event":"disconnected","machine":"F0:F1:F2:F3:F4:F5","t":1.5}"#
    ),
    (
      .powered(adapterName: "hci0", on: false),
      #"{"adapterName":"hci0","event":"powered","on":false,"t":1.5}"#
    ),
    (.verb("drop"), #"{"event":"verb","t":1.5,"verb":"drop"}"#),
    (.up, #"{"event":"up","t":1.5}"#),
  ])
  func eventsAreFlatObjects(_ kind: MockEvent.Kind, _ line: String) throws {
    #expect(try json(kind, time: 1.5) == line)
  }
}
