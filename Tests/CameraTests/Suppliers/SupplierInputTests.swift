import Clocks
import CourtMapping
import Testing

@testable import Camera

/// Lines and frames of a supplier, however they are cut.
struct SupplierInputTests {
  private static let hello = #"{"source":"phone","id":"b_-9","name":"Ben's phone"}"# + "\n"

  private let now = MonotonicInstant.start.advanced(by: .seconds(100))

  private func line(
    bytes: Int,
    _ more: String = #""age":0.25,"size":[640,360],"view":"back-90""#
  ) -> String {
    #"{"bytes":\#(bytes),\#(more)}"# + "\n"
  }

  private func items(
    _ bytes: [UInt8],
    cutAfter length: Int = .max
  ) throws(SupplierFault) -> [SupplierInput.Item] {
    var (input, items, rest) = (SupplierInput(), [SupplierInput.Item](), bytes[...])
    while !rest.isEmpty {
      let part = rest.prefix(length)
      rest = rest.dropFirst(length)
      var fault: SupplierFault?
      part.withUnsafeBytes { part in
        do throws(SupplierFault) {
          try input.append(part, arrival: now) { items.append($0) }
        } catch { fault = error }
      }
      if let fault { throw fault }
    }
    return items
  }

  private func fault(_ text: String) -> String? {
    do throws(SupplierFault) {
      _ = try items(Array(text.utf8))
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func itMakesNoDifferenceWhereTheBytesAreCut() throws {
    let picture = [UInt8]("{\"end\": true}\n\u{0}\n".utf8)
    var bytes = Array((Self.hello + line(bytes: picture.count)).utf8) + picture
    bytes += Array(line(bytes: 1).utf8) + [7]
    bytes += Array((#"{"trouble":{"code":"hidden","reason":"the page\nis hidden"}}"# + "\n").utf8)
    bytes += Array((#"{"end":true}"# + "\n").utf8)
    let whole = try items(bytes)
    let size = try #require(PictureSize(width: 640, height: 360))
    let header = { (count: Int) in
      SuppliedFrame.Header(
        layout: FrameLayout(.mjpeg, size).unsafelyUnwrapped,
        byteCount: count,
        age: .milliseconds(250),
        view: "back-90"
      )
    }
    let taken = MonotonicInstant.start.advanced(by: .milliseconds(99_750))
    #expect(
      whole == [
        .hello(FrameSupplier(.phone, id: "b_-9", name: "Ben's phone")),
        .frame(SuppliedFrame(header: header(picture.count), bytes: picture), time: taken),
        .frame(SuppliedFrame(header: header(1), bytes: [7]), time: taken),
        .trouble(SupplierWord("hidden", "the page?is hidden")), .end,
      ]
    )
    for length in 1...bytes.count { #expect(try items(bytes, cutAfter: length) == whole) }
  }

  @Test(arguments: [
    ("{\"end\":true}", "its first line does not say what it is"),
    ("nothing", "a line is no JSON"),
    (#"{"source":"drone","id":"1","name":"a"}"#, "its source is none of phone, network, module"),
    (#"{"source":"phone","id":"../a","name":"a"}"#, "its id is not"),
    (#"{"source":"phone","id":"a.b","name":"a"}"#, "its id is not"),
    (#"{"source":"phone","id":"","name":"a"}"#, "its id is not"),
    (#"{"source":"phone","id":"é","name":"a"}"#, "its id is not"),
    (#"{"source":"phone","id":"1","name":""}"#, "it has no name"),
  ])
  func whatDoesNotSayWhatItIsIsNotHeard(_ line: String, _ reason: String) {
    #expect(fault(line + "\n")?.hasPrefix(reason) == true, "\(fault(line + "\n") ?? "")")
  }

  @Test(arguments: [
    (#""age":0,"size":[640,360]"#, "a frame's view"),
    (#""age":0,"size":[640,360],"view":"a/b""#, "a frame's view"),
    (#""age":0,"size":[640,360],"view":"\#(String(repeating: "a", count: 65))""#, "a frame's view"),
    (#""age":-0.1,"size":[640,360],"view":"a""#, "a frame's age"),
    (#""age":1e9,"size":[640,360],"view":"a""#, "a frame's age"),
    (#""age":"0","size":[640,360],"view":"a""#, "a frame's age"),
    (#""age":0,"size":[640],"view":"a""#, "a frame's size"),
    (#""age":0,"size":[640,-360],"view":"a""#, "a frame's size"),
    (#""age":0,"size":[5000,360],"view":"a""#, "a frame is not MJPG"),
    (#""age":0,"size":[4096,2305],"view":"a""#, "a frame is not MJPG"),
    (#""age":0,"size":[640,360],"view":"a","format":"H264""#, "a frame is not MJPG"),
    (
      #""age":0,"size":[640,360],"view":"a","format":"YU12""#,
      "a frame of 640 × 360 in YU12 has 100"
    ),
  ])
  func aWrongHeaderIsNoFrame(_ members: String, _ reason: String) {
    let said = fault(Self.hello + line(bytes: 100, members))
    #expect(said?.hasPrefix(reason) == true, "\(said ?? "")")
  }

  @Test func frameAndLinesHaveBounds() {
    let most = SupplierLine.longestJPEG
    #expect(fault(Self.hello + line(bytes: most)) == nil)
    for count in [most + 1, 0, -1, Int.max] {
      let said = fault(Self.hello + line(bytes: count))
      #expect(said == "a frame of 640 × 360 in MJPG has \(count) bytes")
    }
    let long = String(repeating: "a", count: SupplierInput.longestLine)
    #expect(fault(long) == nil)
    #expect(fault(long + "a") == "a line is longer than 1024 bytes")
    #expect(fault(Self.hello + Self.hello) == "a line says nothing that is known")
    #expect(fault(Self.hello + #"{"trouble":{"code":"a b","reason":""}}"# + "\n") != nil)
  }

  @Test func aFrameThatWaitedHasNoTime() throws {
    var (input, items) = (SupplierInput(), [SupplierInput.Item]())
    let bytes = Array((Self.hello + line(bytes: 1)).utf8) + [7]
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(SupplierFault) in
        try input.append(bytes, arrival: nil) { items.append($0) }
      }
    }.get()
    guard case .frame(_, let time) = items.last else {
      Issue.record("no frame")
      return
    }
    #expect(time == nil)
  }
}
