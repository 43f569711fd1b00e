/// What tells this box from another one that runs a copy of its card.
package struct BoxMarks: Hashable, Sendable {
  /// The first kind that two sets of marks have both, decides.
  private enum Kind: String, CaseIterable {
    /// The board's serial number.
    case board
    /// The address of a network adapter.
    case adapter
    /// The address of a network adapter that may be plugged into another box.
    case usb
  }

  /// The most marks of a kind. It bounds the file in which they stand.
  private static let most = 32
  private static let longest = 128

  private var marks: [Kind: Set<String>] = [:]

  /// The marks of the box that this runs on. There may be none.
  ///
  /// - Parameter system: where sysfs is.
  package init(system: String = "/sys") {
    let serial = Self.word("\(system)/firmware/devicetree/base/serial-number")
    if let serial, serial.contains(where: { $0 != "0" }) { marks[.board] = [serial] }
    let folder = "\(system)/class/net"
    for name in ((try? Directory.names(in: folder)) ?? []).sorted() {
      let adapter = "\(folder)/\(name)"
      // ../../devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/net/NAME, with `virtual' for a bridge's.
      let place = Directory.target(ofLink: adapter)?.split(separator: "/") ?? []
      guard !place.contains("virtual"), let address = Self.address(of: adapter) else { continue }
      let kind = place.contains { $0.hasPrefix("usb") } ? Kind.usb : .adapter
      if marks[kind, default: []].count < Self.most { marks[kind, default: []].insert(address) }
    }
  }

  /// - Returns: the maker's address; nil if it is not known.
  private static func address(of adapter: String) -> String? {
    // A wireless one's present address is often made up. Source: NetworkManager's scan-rand-mac-address.
    let own = word("\(adapter)/phy80211/macaddress")
    let isOwn = word("\(adapter)/addr_assign_type") == "0"
    guard let address = own ?? (isOwn ? word("\(adapter)/address") : nil) else { return nil }
    let bytes = address.split(separator: ":").compactMap { UInt8($0, radix: 16) }
    // Source: IEEE 802, the bits of groups and of local addresses: those are made up, perhaps at each start.
    guard bytes.count == 6, bytes[0] & 0b11 == 0, bytes.contains(where: { $0 != 0 }) else {
      return nil
    }
    return address
  }

  /// - Returns: a file's first word; nil: there is none.
  private static func word(_ path: String) -> String? {
    guard let bytes = try? InputFile.bytes(path, longest: longest) else { return nil }
    let word = bytes.prefix { $0 > 0x20 }
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }

  // MARK: In a file

  /// A kind and a mark each. What is no such line is left out.
  package init(lines: some Sequence<Substring>) {
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let kind = Kind(rawValue: String(words[0])) else { continue }
      marks[kind, default: []].insert(String(words[1]))
    }
  }

  package var lines: [String] {
    Kind.allCases.flatMap { kind in (marks[kind] ?? []).sorted().map { "\(kind) \($0)" } }
  }

  // MARK: Two of them

  /// Whether they can be one box's. One mark in common is enough: adapters come and go.
  package func fit(_ other: BoxMarks) -> Bool {
    for kind in Kind.allCases {
      guard let these = marks[kind], let those = other.marks[kind] else { continue }
      return !these.isDisjoint(with: those)
    }
    return true
  }

  /// The marks of this box, together with those that were there before.
  package func adding(_ former: BoxMarks) -> BoxMarks {
    var sum = self
    sum.marks.merge(former.marks) { $0.union($1).count > Self.most ? $0 : $0.union($1) }
    return sum
  }

  /// The marks to write into a file that is there.
  ///
  /// - Parameter former: which it has; nil: an earlier version has written it.
  /// - Throws: if another box has written it: it has come with a copy of that one's card.
  package func taking(_ former: BoxMarks?) throws(StateFileError) -> BoxMarks {
    guard let former else { return self }
    guard fit(former) else { throw .broken("was written on another box") }
    return adding(former)
  }
}

extension BoxMarks: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(lines: try decoder.singleValueContainer().decode([String].self).map { $0[...] })
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(lines)
  }
}
