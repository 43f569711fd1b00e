import Clocks
import CourtMapping
import Host
import JSON

/// What a supplier says in a line.
enum SupplierLine: Hashable {
  case hello(FrameSupplier)
  /// A frame's bytes follow.
  case frame(SuppliedFrame.Header)
  case trouble(SupplierWord)
  case end
}

/// A frame as it was handed over.
struct SuppliedFrame: Hashable {
  struct Header: Hashable {
    let layout: FrameLayout
    let byteCount: Int
    /// How long before this line was sent the picture was taken.
    let age: Duration
    /// The camera's lens and how it is turned; another one is another camera's place.
    let view: String
  }

  let header: Header
  let bytes: [UInt8]
}

/// A line that can't be used: its supplier is not heard any more.
struct SupplierFault: Error, Hashable {
  let reason: String
}

extension SupplierLine {
  /// A line with its end, of the supplier or of the service; nil only without memory.
  static func written(_ members: [String: JSONValue]) -> [UInt8]? {
    (try? JSONEncoding.line(JSONValue.object(members))).map { $0 + [UInt8(ascii: "\n")] }
  }

  /// The bytes that a JPEG may have. One of 640 × 360 has 60,000.
  static let longestJPEG = 1 << 20
  /// The bytes that a frame may have: YUYV has two a pixel.
  static let longestFrame = FrameLayout.mostPixels * 2
  private static let longestName = 60
  private static let longestReason = 300
  /// What was taken earlier is a mistake in the supplier's clock.
  private static let oldest = 3600.0

  init(_ line: [UInt8]) throws(SupplierFault) {
    let value: JSONValue
    do throws(JSONTextError) {
      value = try JSONValue(text: line, deepest: 3, most: 32)
    } catch {
      throw SupplierFault(reason: "a line is no JSON: \(error)")
    }
    if value["bytes"] != nil {
      self = .frame(try SuppliedFrame.Header(value))
    } else if let trouble = value["trouble"] {
      guard let code = trouble["code"]?.string, code.isKey(.forCodes),
        let reason = trouble["reason"]?.string
      else { throw SupplierFault(reason: "its trouble is not {\"code\": …, \"reason\": …}") }
      self = .trouble(SupplierWord(code, reason.printable(upTo: Self.longestReason)))
    } else if value["end"] == .boolean(true) {
      self = .end
    } else {
      self = .hello(try Self.supplier(value))
    }
  }

  private static func supplier(_ value: JSONValue) throws(SupplierFault) -> FrameSupplier {
    guard let kind = value["source"]?.string.flatMap({ FrameSupplier.Kind(rawValue: $0) }) else {
      let kinds = FrameSupplier.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw SupplierFault(reason: "its source is none of \(kinds)")
    }
    guard let id = value["id"]?.string, id.isKey(.forNames) else {
      throw SupplierFault(reason: "its id is not 1 to 64 of A-Z, a-z, 0-9, - and _")
    }
    guard let name = value["name"]?.string, !name.isEmpty else {
      throw SupplierFault(reason: "it has no name")
    }
    return FrameSupplier(kind, id: id, name: name.printable(upTo: longestName))
  }

  fileprivate static func age(_ value: JSONValue) -> Duration? {
    guard let age = value["age"]?.number, (0...oldest).contains(age) else { return nil }
    return .seconds(age)
  }
}

extension SuppliedFrame.Header {
  /// YU12 is I420: all brightness first, then all U, then all V. Source: linux/videodev2.h.
  private static let formats: [String: PixelFormat] = [
    "MJPG": .mjpeg, "YUYV": .yuyv, "YU12": PixelFormat(code: 0x3231_5559),
  ]

  /// - Returns: nil for a frame that would be refused.
  static func line(of frame: borrowing Frame, at now: MonotonicInstant) -> [UInt8]? {
    let (layout, count) = (frame.layout, frame.bytes.count)
    let format = "\(layout.pixelFormat)"
    guard formats[format] == layout.pixelFormat, layout.isHandedOver(in: count) else { return nil }
    let age = max(frame.time.duration(to: now) / .seconds(1), 0)
    let members: [String: JSONValue] = [
      "bytes": .integer(Int64(count)), "age": .number(age.rounded(places: 4)),
      "size": .array([.integer(Int64(layout.size.width)), .integer(Int64(layout.size.height))]),
      "view": .string("fixed"), "format": .string(format),
    ]
    return SupplierLine.written(members)
  }

  fileprivate init(_ value: JSONValue) throws(SupplierFault) {
    guard let view = value["view"]?.string, view.isKey(.forViews) else {
      throw SupplierFault(reason: "a frame's view is not 1 to 64 of A-Z, a-z, 0-9, . and -")
    }
    guard let age = SupplierLine.age(value) else {
      throw SupplierFault(reason: "a frame's age is not from 0 to 3600 s")
    }
    guard case .array(let sides) = value["size"], sides.count == 2,
      let width = sides[0].integer, let height = sides[1].integer,
      let size = PictureSize(width: width, height: height)
    else { throw SupplierFault(reason: "a frame's size is not [WIDTH, HEIGHT]") }
    let format = value["format"] ?? .string("MJPG")
    guard let format = format.string.flatMap({ Self.formats[$0] }),
      let layout = FrameLayout(format, size)
    else { throw SupplierFault(reason: "a frame is not MJPG, YUYV or YU12, or too large") }
    let bytes = value["bytes"]?.integer ?? 0
    guard layout.isHandedOver(in: bytes) else {
      throw SupplierFault(reason: "a frame of \(size) in \(format) has \(bytes) bytes")
    }
    self.init(layout: layout, byteCount: bytes, age: age, view: view)
  }
}

extension FrameLayout {
  /// Whether a frame may have so many bytes: rows have no padding here.
  fileprivate func isHandedOver(in bytes: Int) -> Bool {
    pixelFormat == .mjpeg
      ? (1...SupplierLine.longestJPEG).contains(bytes) : bytes == leastBytes
  }
}

extension String {
  fileprivate enum Alphabet: String {
    /// No dot: a file's name has it behind them.
    case forNames = "-_"
    case forViews = ".-"
    case forCodes = "-"
  }

  /// Whether it is a short word of letters, digits and these signs.
  fileprivate func isKey(_ alphabet: Alphabet) -> Bool {
    (1...64).contains(utf8.count)
      && unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || alphabet.rawValue.unicodeScalars.contains(scalar))
      }
  }
}
