import Host
import JSON

/// An SVG picture that is written from top to bottom. It refers to nothing outside.
struct SVGPage {
  /// Black on white paper, and in the sun.
  static let ink = "#101418"
  static let paper = "#ffffff"
  /// The colour of labels: still 7 to 1 against white.
  static let quiet = "#3f4850"

  enum Anchor: String {
    case start, middle, end
  }

  private var elements: [String] = []
  private let title: String

  init(title: String) {
    self.title = title
  }

  mutating func rectangle(
    x: Double,
    y: Double,
    width: Double,
    height: Double,
    fill: String,
    stroke: Double = 0,
    radius: Double = 0
  ) {
    let line = stroke > 0 ? #" stroke="\#(Self.ink)" stroke-width="\#(stroke)""# : ""
    // Squares that touch show no seams, rings no steps.
    let corner = radius > 0 ? #" rx="\#(radius.short)""# : #" shape-rendering="crispEdges""#
    elements.append(
      #"<rect x="\#(x.short)" y="\#(y.short)" width="\#(width.short)" height="\#(height.short)""#
        + #" fill="\#(fill)"\#(corner)\#(line)/>"#
    )
  }

  /// Each line has a white border, so that it is seen on dark ground.
  mutating func lines(_ lines: [[(x: Double, y: Double)]], width: Double, dash: String? = nil) {
    let path = lines.map { points in
      "M" + points.map { "\($0.x.short) \($0.y.short)" }.joined(separator: "L")
    }.joined()
    let border =
      #"<path d="\#(path)" fill="none" stroke="\#(Self.paper)" stroke-width="\#(width + 2)"/>"#
    let dashes = dash.map { #" stroke-dasharray="\#($0)""# } ?? ""
    elements.append(border)
    elements.append(
      #"<path d="\#(path)" fill="none" stroke="\#(Self.ink)" stroke-width="\#(width)"\#(dashes)/>"#
    )
  }

  /// A line of text that is made as small as its room wants.
  ///
  /// Its width is estimated: a file can't know its viewer's fonts, and not all viewers know
  /// `textLength`.
  ///
  /// - Parameter isCentred: whether `y` is the middle of the line instead of its foot.
  mutating func text(
    _ text: String,
    x: Double,
    y: Double,
    size: Double,
    room: Double,
    anchor: Anchor = .start,
    isBold: Bool = false,
    isCentred: Bool = false,
    fill: String = ink
  ) {
    let text = text.xml
    guard !text.isEmpty else { return }
    let fitting = (min(size, room / text.width(isBold: isBold)) * 2).rounded(.down) / 2
    let weight = isBold ? #" font-weight="700""# : ""
    let place = anchor == .start ? "" : #" text-anchor="\#(anchor.rawValue)""#
    let color = fill == Self.ink ? "" : #" fill="\#(fill)""#
    let foot = isCentred ? y + fitting * 0.36 : y
    elements.append(
      #"<text x="\#(x.short)" y="\#(foot.short)" font-size="\#(fitting.short)"\#(weight)\#(place)"#
        + "\(color)>\(xmlEscaped(text))</text>"
    )
  }

  /// Text in lines, which are made smaller, down to half of their size, before they become more than
  /// two.
  ///
  /// - Parameter y: the head of the first line.
  /// - Returns: the head of what comes next.
  mutating func paragraph(
    _ text: String,
    x: Double,
    y: Double,
    size: Double,
    room: Double,
    isBold: Bool = false
  ) -> Double {
    let text = text.xml
    var size = size
    let least = max(11, size / 2)
    var lines = text.lines(within: room / size, isBold: isBold)
    while lines.count > 2, size > least {
      size -= 1
      lines = text.lines(within: room / size, isBold: isBold)
    }
    for (index, line) in lines.enumerated() {
      self.text(
        line,
        x: x,
        y: y + (Double(index) * 1.3 + 1) * size,
        size: size,
        room: room,
        isBold: isBold
      )
    }
    return y + Double(lines.count) * size * 1.3
  }

  /// - Returns: the file, with its last line feed.
  func file(width: Double, height: Double) -> String {
    ([
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width.short) \#(height.short)""#
        + #" role="img" font-family="sans-serif" fill="\#(Self.ink)">"#,
      "<title>\(xmlEscaped(title.xml))</title>",
      #"<rect width="100%" height="100%" fill="\#(Self.paper)"/>"#,
    ] + elements + ["</svg>\n"]).joined(separator: "\n")
  }
}

extension Double {
  /// The number to a tenth of a unit, without `.0`.
  fileprivate var short: String {
    let text = fixed(1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension String {
  /// The text without characters that XML can't hold, and of a length that can be shown.
  fileprivate var xml: String {
    let longest = 160
    let text = String(
      String.UnicodeScalarView(
        printable.unicodeScalars.map { (0xFFFE...0xFFFF).contains($0.value) ? "?" : $0 }
      )
    )
    return text.count > longest ? text.prefix(longest - 1) + "…" : text
  }

  /// Broken at spaces, and in words that are too long for a line.
  fileprivate func lines(within room: Double, isBold: Bool) -> [String] {
    var lines = [""]
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let line = lines[lines.count - 1]
      let longer = line.isEmpty ? String(word) : line + " " + word
      if longer.width(isBold: isBold) <= room {
        lines[lines.count - 1] = longer
        continue
      }
      if !line.isEmpty { lines.append("") }
      for character in word {
        let longer = lines[lines.count - 1] + String(character)
        if longer.width(isBold: isBold) <= room {
          lines[lines.count - 1] = longer
        } else {
          lines.append(String(character))
        }
      }
    }
    return lines
  }

  /// How wide it is in the widest of the usual sans-serif fonts, as a multiple of its size.
  fileprivate func width(isBold: Bool) -> Double {
    unicodeScalars.reduce(0) { width, scalar in
      let character: Double =
        switch scalar {
        case "i", "j", "l", ".", ",", ":", ";", "'", "|", "!": 0.38
        case " ", "f", "r", "t", "(", ")", "-", "/": 0.45
        case "m", "w", "M", "W", "@", "%", "…": 1.02
        case "A"..."Z": 0.78
        case _ where scalar.value >= 0x1100: 1.1
        case _ where scalar.value >= 0x370: 0.9
        default: 0.645
        }
      return width + character
    } * (isBold ? 1.1 : 1)
  }
}
