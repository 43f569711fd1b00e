import Glibc

/// The sizes of a message's arguments, measured before libdbus sees them.
///
/// libdbus aborts on a value that the protocol does not allow, and the bus closes the connection
/// that sends a message that is too long or nested too deeply. Here both are ordinary errors.
struct MessageLayout {
  /// Bytes from the beginning of the message's body.
  private(set) var size = 0
  private(set) var fileDescriptors = 0

  /// `header` has the path and the names that the message carries beside its arguments.
  init(_ arguments: [Value], header: [String] = []) throws(DBusError) {
    for argument in arguments { try add(argument, depth: 0) }
    _ = try MessageLayout.checked(arguments.map(\.type))
    let total = MessageLayout.headerSize(header) + size
    guard total <= Limits.message else {
      throw .tooLong("A message of \(total) bytes is too long; \(Limits.message) are allowed.")
    }
    guard fileDescriptors <= Limits.fileDescriptors else {
      throw .tooLong(
        "A message with \(fileDescriptors) file descriptors; \(Limits.fileDescriptors) are allowed."
      )
    }
  }

  /// Refuses text that C would cut off. Swift's strings are always valid UTF-8.
  static func check(text: String) throws(DBusError) {
    guard !text.utf8.contains(0) else {
      throw .invalid("\(text.prefix(80).debugDescription) contains a NUL character.")
    }
  }

  /// The most that a header needs: 16 fixed bytes, signature, serials, sender, and framed texts.
  private static func headerSize(_ texts: [String]) -> Int {
    texts.reduce(16 + 2 * Limits.signature + 64) { $0 + 16 + $1.utf8.count }
  }

  private mutating func add(_ value: Value, depth: Int) throws(DBusError) {
    guard depth <= Limits.valueDepth else {
      throw .tooLong("A value nests more than \(Limits.valueDepth) deep.")
    }
    switch value {
    case .byte: size += 1
    case .boolean, .int32, .uint32: add(aligned: 4)
    case .int16, .uint16: add(aligned: 2)
    case .int64, .uint64, .double: add(aligned: 8)
    case .unixFD(let descriptor):
      guard fcntl(descriptor.rawValue, F_GETFD) >= 0 else {
        throw .invalid("\(descriptor.rawValue) is not an open file descriptor.")
      }
      fileDescriptors += 1
      add(aligned: 4)
    case .string(let string):
      try MessageLayout.check(text: string)
      add(text: string)
    case .objectPath(let path): add(text: path.string)
    case .signature(let signature): add(try MessageLayout.checked(signature.types))
    case .bytes(let bytes):
      add(aligned: 4)
      try check(array: bytes.count)
      size += bytes.count
    case .array(let element, let elements):
      guard element != .byte else { throw .invalid("An array of bytes is written as `bytes`.") }
      let start = beginArray(of: element)
      for value in elements { try add(value, expecting: element, depth: depth + 1) }
      try check(array: size - start)
    case .dictionary(let key, let value, let entries):
      guard key.isBasic else {
        throw .invalid("The key of a dictionary is a basic type, not \(key.code).")
      }
      // An entry aligns like a structure, and is a container of its own.
      let start = beginArray(of: .structure([key, value]))
      for entry in entries {
        align(to: 8)
        try add(entry.key, expecting: key, depth: depth + 2)
        try add(entry.value, expecting: value, depth: depth + 2)
      }
      try check(array: size - start)
    case .structure(let members):
      guard !members.isEmpty else { throw .invalid("A structure has at least one member.") }
      align(to: 8)
      for member in members { try add(member, depth: depth + 1) }
    case .variant(let inner):
      add(try MessageLayout.checked([inner.type]))
      try add(inner, depth: depth + 1)
    }
  }

  private mutating func add(_ value: Value, expecting type: ValueType, depth: Int) throws(DBusError)
  {
    let actual = value.type
    guard actual == type else {
      throw .invalid("A value of type \(actual.code) stands where \(type.code) is expected.")
    }
    try add(value, depth: depth)
  }

  private mutating func add(aligned bytes: Int) {
    align(to: bytes)
    size += bytes
  }

  private mutating func add(text: String) {
    add(aligned: 4)
    size += text.utf8.count + 1
  }

  private mutating func add(_ signature: Signature) {
    size += 1 + signature.string.utf8.count + 1
  }

  private mutating func align(to bytes: Int) {
    size = (size + bytes - 1) / bytes * bytes
  }

  /// Returns where the elements begin.
  private mutating func beginArray(of element: ValueType) -> Int {
    add(aligned: 4)
    align(to: element.alignment)
    return size
  }

  private func check(array bytes: Int) throws(DBusError) {
    guard bytes <= Limits.array else {
      throw .tooLong("An array of \(bytes) bytes is too long; \(Limits.array) are allowed.")
    }
  }

  /// Makes a signature from types: the one place that checks it.
  private static func checked(_ types: [ValueType]) throws(DBusError) -> Signature {
    // Most are too short and too simple to be invalid.
    guard types.count > Limits.signature / 5 || !types.allSatisfy(\.isPlain) else {
      return Signature(types)
    }
    return try Signature(Signature(types).string)
  }
}

extension ValueType {
  /// A basic type, a variant, or a list or dictionary of these: always valid, at most five letters.
  fileprivate var isPlain: Bool {
    switch self {
    case .array(let element): element.isBasic || element == .variant
    case .dictionary(let key, let value): key.isBasic && (value.isBasic || value == .variant)
    case .structure: false
    default: true
    }
  }
}
