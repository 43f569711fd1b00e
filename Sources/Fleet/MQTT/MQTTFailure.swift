/// Why there is no connection to a broker, or no longer.
package struct MQTTFailure: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable, Codable {
    /// The name leads nowhere.
    case unknownHost
    /// Nothing answers there, or no longer.
    case unreachable
    /// The broker is there, and took too long.
    case silent
    /// The broker's certificate, or ours, is not accepted.
    case untrusted
    /// The user or the password, or the client's name.
    case refused
    /// The broker takes no more clients now.
    case busy
    /// The broker's access list or limits: a topic may not be subscribed to, a message not be sent.
    case forbidden
    /// Another client of the same name took the place of this one.
    case takenOver
    /// The connection ended.
    case lost
    /// What the broker says is not MQTT, or breaks it.
    case strange
    /// This box: its files, memory, threads.
    case system
  }

  package var code: Code
  /// What failed, for people, with what the library says.
  package var description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension MQTTFailure {
  /// TLS has failed. An alert is the broker's word about this box, mostly about its certificate.
  ///
  /// - Parameters:
  ///   - words: OpenSSL's reason.
  ///   - place: the broker's location.
  init(tls words: Substring, at place: String) {
    let alert = words.split(separator: " ").drop { $0 != "alert" }.dropFirst()
    let reason = alert.joined(separator: " ")
    switch reason {
    case "certificate required":
      self.init(.untrusted, "the broker asks for a certificate of this box")
    case _ where alert.contains("certificate") || reason == "unknown ca":
      self.init(.untrusted, "the broker refuses this box's own certificate: \(reason)")
    default: self.init(.untrusted, "no TLS with \(place): \(words)")
    }
  }

  /// The broker refuses to connect, or has ended the connection.
  ///
  /// - Parameters:
  ///   - reason: MQTT 5's code, or that of a CONNACK of MQTT 3.1.1.
  ///   - text: the library's.
  init(reason: Int32, _ text: String) {
    switch reason {
    case 0x84, 1: self.init(.strange, "the broker has another version of MQTT: \(text)")
    case 0x85, 2: self.init(.refused, "the broker refuses this client's name: \(text)")
    case 0x86, 0x87, 0x8A, 0x8C, 4, 5:
      self.init(.refused, "the broker refuses this box; see its user and password: \(text)")
    case 0x88, 0x89, 0x8B, 0x97, 0x9C, 0x9D, 0x9F, 3:
      self.init(.busy, "the broker takes no clients now: \(text)")
    case 0x8E:
      self.init(.takenOver, "another client of the same name has connected to the broker")
    case 0x8D: self.init(.silent, "the broker has heard nothing of this box: \(text)")
    case 0x95: self.init(.forbidden, "the broker refuses a message's size: \(text)")
    default: self.init(.strange, "the broker ends the connection: \(text) (\(reason))")
    }
  }
}
