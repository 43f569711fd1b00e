import Host
import WebPage

extension ProgramPlaces {
  static let web = ProgramPlaces(of: "ballmachine-web", unless: "BALLMACHINE_WEB_DIR")

  /// The socket of the page's service.
  var socket: String { runtime + "/" + PhoneSocket.name }
}
