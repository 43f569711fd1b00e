/// The headers of a request that ``RequestGate`` looks at.
package struct RequestHead: Hashable, Sendable {
  package var host: String?
  package var origin: String?
  /// `Sec-Fetch-Site`: where the browser says that the request comes from.
  package var site: String?
  package var contentType: String?

  /// - Parameter headers: all of them, as they came. One that comes twice gets both values, with a
  ///   comma between them (RFC 9110, 5.3), which none of these may have.
  package init(_ headers: [(name: String, value: String)] = []) {
    func value(_ name: String) -> String? {
      let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    host = value("host")
    origin = value("origin")
    site = value("sec-fetch-site")
    contentType = value("content-type")
  }
}
