import Clocks

/// A picture of a phone's camera, as its page sends it: a JPEG, and in the query what it is of.
struct PhoneFrame: Sendable {
  static let path = "/api/camera/frame"
  static let type = "image/jpeg"
  /// In bytes. The page's pictures have some 30 kB.
  static let longest = 1 << 20

  private static let longestSide = 4096
  /// In seconds; what is older is no picture of now.
  private static let ages = 0.0...10.0

  /// Which start of a phone's camera it belongs to.
  let turn: Int
  /// In seconds, when it was whole here.
  let age: Double
  let size: [Int]
  /// The lens, and how the phone is turned.
  let view: String
  let bytes: [UInt8]

  /// - Parameter now: when the request was whole: what its way took is added to the age that it tells.
  /// - Returns: nil if its query or its body is none of a picture.
  init?(_ request: HTTPRequest, at now: MonotonicInstant) {
    let sides = ["width", "height"].compactMap { request.value($0).flatMap(Int.init) }
    guard let turn = Self.turn(request), let view = request.value("view"), Self.isView(view),
      let told = request.value("age").flatMap(Double.init), Self.ages.contains(told),
      sides.count == 2, sides.allSatisfy((1...Self.longestSide).contains),
      // Source: ISO/IEC 10918-1, B.1.1.3: every JPEG begins with SOI.
      request.body.starts(with: [0xFF, 0xD8]), request.body.count <= Self.longest
    else { return nil }
    self.turn = turn
    self.view = view
    age = told + max(0, request.began.duration(to: now) / .seconds(1))
    size = sides
    bytes = request.body
  }

  /// The turn that a request names.
  static func turn(_ request: HTTPRequest) -> Int? { request.value("turn").flatMap { Int($0) } }

  private static func isView(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
  }

  /// What a calibration is kept for, beside the phone.
  var place: String { "\(view) \(size)" }

  /// The bytes for the camera's program: a line, and the picture. No letter of a view needs an escape.
  var written: [UInt8] {
    let line =
      "{\"bytes\": \(bytes.count), \"age\": \(age), \"size\": \(size), \"view\": \"\(view)\"}\n"
    return Array(line.utf8) + bytes
  }
}
