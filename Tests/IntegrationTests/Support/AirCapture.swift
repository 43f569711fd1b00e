import Clocks
import CourtLogic
import Foundation
import Host

/// What goes over the air of the box from a moment on.
struct AirCapture {
  private let file: FileHandle
  private var capture = BtsnoopCapture()
  private var traffic = AirTraffic()

  /// - Parameter box: the folder through which the box is controlled.
  init(of box: String) throws {
    file = try FileHandle(forReadingFrom: URL(filePath: "\(box)/capture.btsnoop"))
    // What was before is of no interest.
    _ = try newRecords()
  }

  /// Listens until all links have ended over which something went.
  ///
  /// The controller tells of a link's end after all that it carried, so that nothing is missing then.
  mutating func untilLinksEnd() async throws -> AirTraffic {
    let clock = SystemClock()
    let end = clock.now.advanced(by: Setups.patience)
    while true {
      for record in try newRecords() { try traffic.hear(record) }
      let links = Set(traffic.frames.map(\.link))
      if !links.isEmpty, links.isSubset(of: traffic.ended) { return traffic }
      guard clock.now < end else {
        throw Overdue(description: "the end of a link is not in the capture: \(links)")
      }
      // btmon writes when it gets round to it, into a file of the host's, whose growth 9P tells
      // nobody: there is nothing to wait for, only to look again.
      try await clock.sleep(for: .milliseconds(50))
    }
  }

  private mutating func newRecords() throws -> [BtsnoopCapture.Record] {
    try capture.read(file.readToEnd() ?? Data())
  }
}
