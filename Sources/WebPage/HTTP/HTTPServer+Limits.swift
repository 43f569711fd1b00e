extension HTTPServer {
  /// What clients can take of the box.
  package struct Limits: Sendable {
    /// At once; the next one is closed at once.
    package var connections = 64
    /// A club's phones may share their router's.
    package var connectionsPerAddress = 48
    /// The longest time without a byte in either direction, and for a whole request: bytes now and
    /// then keep no place.
    package var timeout = Duration.seconds(10)
    /// Between two requests: a browser that has loaded the page keeps six connections.
    package var idle = Duration.seconds(2)
    /// The most bytes of a request's line and headers, and of what libmicrohttpd notes of them.
    package var headers = 16_384
    /// The most bytes of a request's body.
    package var body = 16_384
    /// How many requests at once may have a longer body, see ``HTTPAdmission/large(_:for:)``.
    package var largeBodies = 2
    /// The most bytes of a body that is thrown away so that the client reads why.
    package var passedOver = 1 << 20
    /// Whether what RFC 9112 forbids is refused; else what can be understood is taken.
    package var isStrict = true

    package init() {}

    /// The limits of a port for stops alone: short, and many.
    package static let ofStops = {
      var limits = Limits()
      limits.connections = 128
      limits.connectionsPerAddress = 16
      limits.timeout = .seconds(2)
      limits.isStrict = false
      return limits
    }()
  }

  /// The PEM texts of a certificate and its key.
  package struct Identity: Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }
}
