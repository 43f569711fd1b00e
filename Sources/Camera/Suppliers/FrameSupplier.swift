/// A program of this box that hands frames over, as its first line says.
package struct FrameSupplier: Hashable, Sendable {
  package enum Kind: String, Codable, Sendable, CaseIterable {
    /// A phone on the page: it is the camera as soon as it is accepted.
    case phone
    /// The service that reads the configured address.
    case network
    /// The service that runs the configured command.
    case module
  }

  package let kind: Kind
  /// Always the same of the same phone; a part of a file's name.
  package let id: String
  /// For people.
  package let name: String

  package init(_ kind: Kind, id: String, name: String) {
    self.kind = kind
    self.id = id
    self.name = name
  }
}

extension FrameSupplier.Kind {
  /// The unit of the service that hands such frames over; nil for phones, which the page hands over.
  package var unit: String? {
    switch self {
    case .phone: nil
    case .network: "ballmachine-camera-network.service"
    case .module: "ballmachine-camera-module.service"
    }
  }

  /// What it reads, as a sentence's subject.
  package var subject: String {
    switch self {
    case .phone: "a phone"
    case .network: "the address"
    case .module: "the command"
    }
  }
}

/// Why a supplier has no frames, or why it is not heard any more.
package struct SupplierWord: Hashable, Sendable, Codable {
  /// As one word for programs.
  package let code: String
  /// The same for people, without an end mark.
  package let reason: String

  package init(_ code: String, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

extension SupplierWord {
  static func isCamera(_ other: String) -> SupplierWord {
    SupplierWord("taken", "\(other) is the camera")
  }

  static func isCameraNow(_ other: String) -> SupplierWord {
    SupplierWord("taken", "\(other) is the camera now")
  }

  /// A phone is the camera, and the configured camera rests.
  static func rests(for phone: String) -> SupplierWord {
    SupplierWord("resting", "\(phone) is the camera")
  }

  static let reconnected = SupplierWord("reconnected", "the same phone has connected again")
  /// It was ended from elsewhere: the supplier should not come back by itself.
  static let ended = SupplierWord("ended", "the configured camera is used again")
  static let notConfigured = SupplierWord(
    "not-configured",
    "the configuration names another kind of camera"
  )
  static let tooMany = SupplierWord("too-many", "too many programs hand frames over")

  static func badLine(_ reason: String) -> SupplierWord { SupplierWord("bad-line", reason) }
}
