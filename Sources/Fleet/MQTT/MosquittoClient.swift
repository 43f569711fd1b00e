import CMosquitto
import Glibc

/// libmosquitto's client of one connection, with nothing of an earlier one in its queues.
///
/// It sends only in ``write()``. So a client that has connected too late, when nothing waits for it
/// any more, ends unheard: it doesn't take over the connection of its successor.
final class MosquittoClient: @unchecked Sendable {
  // Invariant: one thread at a time uses it: the one that connects, and then the connection's.

  enum Event {
    /// CONNACK: why the broker refuses, and what it grants, as far as it says so.
    case answered(MQTTFailure?, MQTTGrants)
    /// The broker has ended the connection, and says why.
    case ended(MQTTFailure)
    case message(MQTTMessage)
    /// - Parameter refusal: the broker's words.
    case published(Int, hasSubscribers: Bool, refusal: String?)
    /// - Parameter refusals: for each topic the broker's words, or nil.
    case subscribed(Int, refusals: [String?])
  }

  /// Called in ``read()`` and ``write()``. It may publish and subscribe.
  var handle: ((Event) -> Void)?
  private let client: OpaquePointer
  private let place: String
  private let trust: TLSContext?
  /// The first error that libmosquitto logs.
  private var complaint: String?
  /// What may be wrong with TLS, or its lack, when the broker hangs up before its first answer. Its alert can
  /// get lost: what is on its way to the broker makes the end a reset.
  private var doubt: String?

  private static let isReady: Bool = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

  /// Reads the password and TLS's files and connects, which can take minutes: for a thread of its own.
  ///
  /// libmosquitto 2.1 sets TLS up without a lock: two threads must not make its first connection at once.
  ///
  /// - Parameters:
  ///   - address: numeric, one of the broker's.
  ///   - grants: what the broker is known to grant: the will keeps to it.
  ///   - longest: of incoming packets, in bytes; MQTT 5's brokers drop longer ones.
  init(
    connectingTo broker: BrokerSettings,
    at address: String,
    as name: String,
    will: MQTTMessage?,
    within grants: MQTTGrants,
    version: MQTTVersion,
    keepalive: Int,
    longest: Int
  ) throws(MQTTFailure) {
    let password = try broker.password()
    let trust = try broker.tls.map { tls throws(MQTTFailure) in
      try TLSContext(tls, host: broker.host)
    }
    guard Self.isReady, let client = mosquitto_new(name, true, nil) else {
      throw MQTTFailure(.system, "can't make a client of MQTT: \(String(cString: strerror(errno)))")
    }
    self.client = client
    self.trust = trust
    place = broker.location
    doubt =
      broker.tls.map { tls in
        "before its first answer; does it speak TLS there"
          + (tls.certificate == nil ? ", and does it ask this box for a certificate?" : "?")
      } ?? "before its first answer; does it ask for TLS there?"
    setCallbacks()
    mosquitto_threaded_set(client, true)
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version.number)
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
    try check(mosquitto_username_pw_set(client, broker.user, password))
    if let will = will.map(grants.fit) {
      let (count, quality) = (Int32(will.payload.count), Self.quality(within: grants))
      try check(
        mosquitto_will_set(client, will.topic, count, will.payload, quality, will.isRetained)
      )
    }
    if let trust {
      try check(mosquitto_void_option(client, MOSQ_OPT_SSL_CTX, trust.pointer))
      // It adds nothing of its own to the context, and judges no certificate.
      try check(mosquitto_int_option(client, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0))
    }

    var properties: OpaquePointer?
    defer { mosquitto_property_free_all(&properties) }
    if version == .v5 {
      let name = Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue)
      mosquitto_property_add_int32(&properties, name, UInt32(longest))
    }
    let status = mosquitto_connect_bind_v5(
      client,
      address,
      Int32(broker.port),
      Int32(keepalive),
      nil,
      properties
    )
    try check(status, isConnecting: true)
    // A child that lives longer must not hold the connection.
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
  }

  deinit { mosquitto_destroy(client) }

  // MARK: The socket

  /// -1 once the connection has ended.
  var socket: Int32 { mosquitto_socket(client) }

  /// How many bytes have come in, with those that wait to be read.
  var received: Int { Int(mosquitto_received(socket)) }

  /// Whether the broker may have the first packet: TLS is there, where it is used.
  var isReady: Bool { trust == nil || TLSContext.isReady(mosquitto_ssl_get(client)) }

  /// Whether the broker's certificate is one of ``OldCertificateName``.
  var hasOldName: Bool { trust?.hasOldName ?? false }

  var wantsToWrite: Bool { mosquitto_want_write(client) }

  func read() throws(MQTTFailure) { try check(mosquitto_loop_read(client, 1)) }

  func write() throws(MQTTFailure) { try check(mosquitto_loop_write(client, 1)) }

  /// Pings, or ends a connection on which the last ping had no answer.
  func tend() throws(MQTTFailure) { try check(mosquitto_loop_misc(client)) }

  // MARK: What is to be sent

  /// At least once, where the broker has that.
  private static func quality(within grants: MQTTGrants) -> Int32 { Int32(min(1, grants.quality)) }

  /// - Returns: its number.
  func publish(
    _ message: MQTTMessage,
    within grants: MQTTGrants
  ) throws(MQTTFailure) -> Int {
    var number: Int32 = 0
    let message = grants.fit(message)
    let (topic, payload) = (message.topic, message.payload)
    let quality = min(message.quality.rawValue, Self.quality(within: grants))
    try check(
      mosquitto_publish(
        client,
        &number,
        topic,
        Int32(payload.count),
        payload,
        quality,
        message.isRetained
      )
    )
    return Int(number)
  }

  /// - Returns: its number.
  func subscribe(_ topics: [String]) throws(MQTTFailure) -> Int {
    var number: Int32 = 0
    var words = topics.map { strdup($0) }
    defer { for word in words { free(word) } }
    try check(
      mosquitto_subscribe_multiple(client, &number, Int32(words.count), &words, 1, 0, nil)
    )
    return Int(number)
  }

  func unsubscribe(_ topic: String) throws(MQTTFailure) {
    try check(mosquitto_unsubscribe(client, nil, topic))
  }

  func farewell() { mosquitto_disconnect(client) }

  // MARK: Failures

  /// - Throws: what libmosquitto's status means, with the system's and OpenSSL's words.
  private func check(_ status: Int32, isConnecting: Bool = false) throws(MQTTFailure) {
    let code = errno
    guard status != MOSQ_ERR_SUCCESS.rawValue else { return }
    let system = String(cString: strerror(code))
    let text = String(cString: mosquitto_strerror(status))
    switch mosq_err_t(rawValue: status) {
    case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE, MOSQ_ERR_OCSP: throw failureOfTLS
    case MOSQ_ERR_ERRNO where isConnecting:
      // libmosquitto 2.1 loses the reason: its clean-up sets errno.
      let reason = code == EBADF ? "nothing answers there" : system
      throw MQTTFailure(.unreachable, "can't connect to \(place): \(reason)")
    case MOSQ_ERR_ERRNO, MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN: throw failureOfTLS
    case MOSQ_ERR_KEEPALIVE: throw MQTTFailure(.silent, "\(place), has fallen silent")
    case MOSQ_ERR_NOMEM: throw MQTTFailure(.system, "no memory for the connection to \(place)")
    case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8:
      throw MQTTFailure(.system, "libmosquitto refuses a setting or a topic: \(text)")
    case MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_QOS_NOT_SUPPORTED:
      throw MQTTFailure(.forbidden, "the broker takes no such message: \(text)")
    default: throw MQTTFailure(.strange, "\(place), breaks MQTT: \(text)")
    }
  }

  /// Why TLS has failed, or a connection without a word about it.
  ///
  /// libmosquitto 2.0.11 has OpenSSL's complaint where a broker hangs up in the handshake; 2.0.21 says
  /// nothing there.
  private var failureOfTLS: MQTTFailure {
    switch trust?.distrust {
    case .otherHost?:
      return MQTTFailure(.untrusted, "the broker's certificate is not for \(place)")
    case .other(let reason)?:
      return MQTTFailure(.untrusted, "no trust in the certificate of \(place): \(reason)")
    case nil: break
    }
    let hungUp = MQTTFailure(
      .lost,
      "the connection to \(place), has ended\(doubt.map { " \($0)" } ?? "")"
    )
    guard let text = complaint else { return hungUp }
    guard text.hasPrefix("OpenSSL Error") else { return MQTTFailure(.untrusted, text) }
    let words = text.split(separator: ":").last ?? ""
    if words == "wrong version number" {
      return MQTTFailure(.strange, "\(place), speaks no TLS")
    }
    if words.hasPrefix("unexpected eof") { return hungUp }
    return MQTTFailure(tls: words, at: place)
  }

  // MARK: libmosquitto's calls

  private func setCallbacks() {
    mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_log_callback_set(client) { _, context, level, text in
      guard level & (MOSQ_LOG_ERR | MOSQ_LOG_WARNING) != 0, let text else { return }
      let client = MosquittoClient.of(context)
      if client.complaint == nil { client.complaint = String(cString: text) }
    }
    mosquitto_connect_v5_callback_set(client) { _, context, code, _, properties in
      MosquittoClient.of(context).doubt = nil
      MosquittoClient.of(context).handle?(
        .answered(
          code == 0 ? nil : MQTTFailure(reason: code, words(of: code)),
          code == 0 ? MQTTGrants(properties) : MQTTGrants(refusal: code)
        )
      )
    }
    mosquitto_disconnect_v5_callback_set(client) { _, context, code, _ in
      // Lower ones are libmosquitto's own, which its functions return as well.
      guard code >= 0x80 else { return }
      MosquittoClient.of(context).handle?(.ended(MQTTFailure(reason: code, words(of: code))))
    }
    mosquitto_message_callback_set(client) { _, context, message in
      guard let message = message?.pointee, let topic = message.topic else { return }
      let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
      MosquittoClient.of(context).handle?(
        .message(
          MQTTMessage(
            String(cString: topic),
            Array(payload),
            isRetained: message.retain,
            quality: message.qos == 0 ? .atMostOnce : .atLeastOnce
          )
        )
      )
      // It reads on, also what OpenSSL has in its buffer, unless this says that there is no more.
      errno = 0
    }
    mosquitto_publish_v5_callback_set(client) { _, context, number, code, _ in
      let hasSubscribers = code != MQTT_RC_NO_MATCHING_SUBSCRIBERS.rawValue
      MosquittoClient.of(context).handle?(
        .published(Int(number), hasSubscribers: hasSubscribers, refusal: refusal(code))
      )
    }
    mosquitto_subscribe_v5_callback_set(client) { _, context, number, count, codes, _ in
      let codes = UnsafeBufferPointer(start: codes, count: Int(count))
      MosquittoClient.of(context).handle?(.subscribed(Int(number), refusals: codes.map(refusal)))
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoClient {
    guard let context else { preconditionFailure("libmosquitto has lost its client") }
    return Unmanaged<MosquittoClient>.fromOpaque(context).takeUnretainedValue()
  }
}

/// - Returns: nil: granted.
private func refusal(_ code: Int32) -> String? { code < 0x80 ? nil : words(of: code) }

private func words(of code: Int32) -> String {
  // MQTT 3.1.1's codes of CONNACK are low; the others are MQTT 5's reasons.
  String(cString: code < 0x80 ? mosquitto_connack_string(code) : mosquitto_reason_string(code))
}

extension MQTTVersion {
  /// CONNECT's number of it.
  fileprivate var number: Int32 {
    switch self {
    case .v5: 5
    case .v311: 4
    }
  }
}

extension MQTTGrants {
  /// - Parameter code: of a CONNACK that refuses. It may say that the will asks for too much.
  fileprivate init(refusal code: Int32) {
    self.init(
      keepsMessages: code != MQTT_RC_RETAIN_NOT_SUPPORTED.rawValue,
      quality: code == MQTT_RC_QOS_NOT_SUPPORTED.rawValue ? 0 : 2
    )
  }

  /// - Parameter properties: of CONNACK; nil: none, as with MQTT 3.1.1.
  fileprivate init(_ properties: OpaquePointer?) {
    self.init()
    var (retain, quality, keepalive, longest) = (UInt8(1), UInt8(2), UInt16(0), UInt32(0))
    typealias Reader<Value> = (OpaquePointer?, Int32, UnsafeMutablePointer<Value>?, Bool) ->
      OpaquePointer?
    func read<Value>(_ name: mqtt5_property, _ value: inout Value, _ reader: Reader<Value>) -> Bool
    {
      reader(properties, Int32(name.rawValue), &value, false) != nil
    }
    _ = read(MQTT_PROP_RETAIN_AVAILABLE, &retain, mosquitto_property_read_byte)
    _ = read(MQTT_PROP_MAXIMUM_QOS, &quality, mosquitto_property_read_byte)
    (keepsMessages, self.quality) = (retain != 0, Int(quality))
    // 0: it asks for no pings.
    if read(MQTT_PROP_SERVER_KEEP_ALIVE, &keepalive, mosquitto_property_read_int16), keepalive > 0 {
      self.keepalive = Int(keepalive)
    }
    if read(MQTT_PROP_MAXIMUM_PACKET_SIZE, &longest, mosquitto_property_read_int32), longest > 0 {
      self.longest = Int(longest)
    }
  }
}
