import ControlProtocol
import CourtLogic
import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import Host
@testable import SessionSummary

/// The drawing of a session: well-formed, alone, and nothing cut off, at any length of its words and
/// figures.
struct SessionPictureTests {
  private static let plain: Session = {
    var log = LogText()
    log.mode("REAL")
    log.training(level: "beginner", label: "Anna", set: 1, ball: 0, at: 0)
    log.session(from: 1, live: 60)
    return log.sessions[0]
  }()

  private static let extreme: Session = {
    var session = plain
    session.name = SessionName(run: 999_999, arming: 99_999)
    session.mode = "SIM"
    session.label = String(repeating: "<Wöлфe&\"schlegel\u{1}\u{FFFE}😀'>", count: 40)
    session.targets = Array(repeating: 9_999_999, count: 16)
    session.balls = 999_999_999
    session.outOfCourt = 123_456_789
    (session.seconds, session.live) = (1e9, 1e9)
    session.ending.reason = String(repeating: "because ", count: 200)
    session.lacks = Set(Session.Lack.allCases)
    session.unread = 1 << 40
    session.progress = Session.Progress(
      set: 1 << 40,
      sets: 2,
      ball: 3,
      ballsPerSet: 1 << 50
    )
    session.movement = Movement(
      seen: 1e9,
      distance: 1e12,
      meanSpeed: 123456.789,
      greatestSpeed: 1e9,
      firstStep: 123456,
      firstSteps: 1_000_000,
      stood: (-100...100).flatMap { row in
        (-100...100).map { Movement.Cell(column: $0, row: row, seconds: Double($0 * $0)) }
      }
    )
    return session
  }()

  private static let drill = String(repeating: "three-of-four ", count: 30) + "]]>"

  private func svg(_ session: Session, _ training: String?, before: Int) -> String {
    var session = session
    session.drill = training
    session.outcomes.delivered = 9_999_999
    session.outcomes.unknown = 1
    var picture = SessionPicture(of: session, before: Array(repeating: session, count: before))
    return picture.svg()
  }

  private var all: [String] {
    var bare = Session(
      name: SessionName(run: 1, arming: 1),
      t: 0,
      begin: WallTime(secondsSince1970: 0)
    )
    bare.live = 0
    var narrow = Self.plain
    narrow.targets = Array(repeating: 12, count: 16)
    narrow.court = try! Court(
      apron: 0,
      rows: [0, 0.5, 1, 1.5, 11.885],
      columns: [0, 1, 2, 3, 8.23]
    )
    return [
      svg(Self.plain, "corners", before: 5), svg(Self.extreme, Self.drill, before: 5),
      svg(Self.extreme, String(repeating: "M", count: 5000), before: 0), svg(bare, nil, before: 0),
      svg(narrow, nil, before: 0),
    ]
  }

  @Test func itIsWellFormedAndRefersToNothing() throws {
    for svg in all {
      let elements = try Elements.of(svg)
      #expect(elements.first?.name == "svg" && elements.count > 10)
      #expect(Set(elements.map(\.name)) == ["svg", "title", "rect", "path", "text"])
      let addresses = svg.components(separatedBy: "://").count - 1
      #expect(addresses == 1 && svg.contains("xmlns=\"http://www.w3.org/2000/svg\""))
      for word in ["script", "href", "url(", "style", "<!", "<?", " on", "foreignObject"] {
        // Words of people are no elements and no attributes.
        let attributes = elements.flatMap { $0.attributes.keys }
        #expect(!elements.contains { $0.name.contains(word) } && !attributes.contains(word))
      }
      #expect(svg.hasSuffix("</svg>\n"))
    }
    #expect(all == all)
  }

  /// By widths that are greater than those of the usual fonts, each text is inside of the page, and
  /// none covers another.
  @Test func noTextIsCutOffOrCoversAnother() throws {
    for svg in all {
      let elements = try Elements.of(svg)
      let page = try #require(elements[0].attributes["viewBox"]).split(separator: " ")
        .compactMap { Double($0) }
      var boxes: [(text: String, x: ClosedRange<Double>, y: ClosedRange<Double>)] = []
      for element in elements where element.name == "text" {
        let size = try #require(element.number("font-size"))
        let (x, y) = (try #require(element.number("x")), try #require(element.number("y")))
        let bold = element.attributes["font-weight"] == nil ? 1 : 1.1
        let width = Self.width(element.text) * size * bold
        let left = element.attributes["text-anchor"] == "middle" ? x - width / 2 : x
        let texts = element.text
        #expect(left >= 0 && left + width <= page[2], "\(texts) \(left) \(width)")
        #expect(y - size >= 0 && y + size * 0.25 <= page[3], "\(texts)")
        #expect(size >= 9, "\(texts)")
        boxes.append((texts, left...(left + width), (y - size * 0.72)...(y + size * 0.2)))
      }
      for (index, box) in boxes.enumerated() {
        for other in boxes.dropFirst(index + 1)
        where box.x.overlaps(other.x) && box.y.overlaps(other.y) {
          Issue.record("“\(box.text)” covers “\(other.text)”")
        }
      }
      // A count stays in its ring.
      let rings = elements.filter { $0.attributes["rx"] != nil }
      for ring in rings {
        let (x, y) = (ring.number("x") ?? 0, ring.number("y") ?? 0)
        let (width, height) = (ring.number("width") ?? 0, ring.number("height") ?? 0)
        let inside = boxes.filter { $0.x.lowerBound > x && $0.x.upperBound < x + width }
        #expect(inside.contains { $0.y.lowerBound > y && $0.y.upperBound < y + height })
      }
    }
  }

  /// Whatever zones the session had.
  @Test func aRingIsInTheMiddleOfItsZone() throws {
    var log = LogText()
    log.add(
      text: #"""
        {"event":"court","t":0,"time":"","apron":0,"fallback":"105001050012002000","columns":[0,5,6,7,8.23],\#
        "rows":[0,8,9,10,11.885],"commands":{\#(
          Zone.allCases.map { "\"\($0)\":\"105001050012002000\"" }.joined(separator: ",")
        )}}
        """#
    )
    log.session(from: 1, live: 60, zones: ["3-0"])
    let session = try #require(log.sessions.first)
    #expect(session.court.columnEdges == [0, 5, 6, 7, 8.23])
    var equal = session
    equal.court = Court()
    func middle(_ session: Session, _ start: String, _ length: String) throws -> Double {
      let rings = try Elements.of(svg(session, nil, before: 0))
        .filter { $0.attributes["rx"] != nil }
      let ring = try #require(rings.first)
      let (start, length) = (try #require(ring.number(start)), try #require(ring.number(length)))
      return start + length / 2
    }
    // 40 pixels a metre: from 1.029 m to 2.5 m from the left, and from 10.399 m to 10.943 m from the net.
    let right = try middle(session, "x", "width") - middle(equal, "x", "width")
    let down = try middle(session, "y", "height") - middle(equal, "y", "height")
    #expect(abs(right - 1.471 * 40) < 0.5 && abs(down - 0.544 * 40) < 0.5, "\(right), \(down)")
  }

  /// In DejaVu Sans, which is as wide as Verdana, as a multiple of its size.
  private static func width(_ text: String) -> Double {
    text.unicodeScalars.reduce(0) { width, scalar in
      let character: Double =
        switch scalar {
        case "i", "l", "j": 0.278
        case "'", " ", ".", ",", ":", ";": 0.337
        case "t", "r", "f", "(", ")", "-": 0.412
        case "M": 0.863
        case "m": 0.974
        case "W": 0.989
        case "…", "%": 1
        case _ where scalar.value > 0xFFFF: 1
        case _ where scalar.value > 0x7F: 0.85
        case "A"..."Z": 0.7
        default: 0.636
        }
      return width + character
    }
  }

  @Test func itShowsWhatTheFiguresSay() throws {
    let texts = try Elements.of(all[0]).filter { $0.name == "text" }.map(\.text)
    let expected = [
      "corners (beginner)", "Anna", "20", "10", "Distance run", "Balls", "last 5: 20", "1:00",
      "net",
    ]
    #expect(expected.filter { !texts.contains($0) } == [])
    #expect(texts.contains { $0.hasPrefix("Session 42 · ") && $0.hasSuffix(" · REAL") })
    let simulated = try Elements.of(all[1]).filter { $0.name == "text" }.map(\.text)
    #expect(simulated.contains { $0.hasSuffix("SIM: simulated") })
  }
}

/// The elements of an XML text, read by a parser that isn't ours.
private final class Elements: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""

    func number(_ name: String) -> Double? { attributes[name].flatMap { Double($0) } }
  }

  private var elements: [Element] = []

  static func of(_ text: String) throws -> [Element] {
    let elements = Elements()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = elements
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    return elements.elements
  }

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if text != "\n" { elements[elements.count - 1].text += text }
  }
}
