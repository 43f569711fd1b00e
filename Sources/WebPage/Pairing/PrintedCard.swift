import Host

/// A card to print: who scans it pairs a phone.
package enum PrintedCard {
  /// - Returns: nil if its URL is too long for a QR code.
  package static func svg(_ card: CardRecord) -> String? {
    guard let code = QRCode(card.url) else { return nil }
    let name = card.hostname ?? ""
    // In millimetres: A6. A long name is written smaller.
    let lines = [
      (15, 7, "Ball machine"), (28, min(12, 160 / max(name.count, 1)), xmlEscaped(name)),
      (40, 5, "Scan this with your phone's camera."),
      (118, 5, xmlEscaped(card.addresses.first ?? "")),
      (128, 4, "Card \(card.id), valid until \(card.until.localDate)"),
      (136, 4, "In an emergency use the machine's own switch."),
    ].map { place, size, text in
      #"<text x="52.5" y="\#(place)" font-size="\#(size)">\#(text)</text>"#
    }
    let scale = 65.0 / Double(code.width)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="105mm" height="148mm" viewBox="0 0 105 148">
      <rect width="105" height="148" fill="#fff"/>
      <g font-family="sans-serif" text-anchor="middle" fill="#000">
      \(lines.joined(separator: "\n"))
      </g>
      <path transform="translate(20 44) scale(\(scale))" shape-rendering="crispEdges" d="\(code.path)"/>
      </svg>

      """
  }
}
