/// Why one frame makes no picture. The next frame may be good.
package struct PictureProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// Bytes are missing at the frame's end.
    case truncated
    /// The frame's bytes contradict each other.
    case corrupt
    /// A kind of picture that isn't read, such as a frame that is a progressive JPEG.
    case unsupported
    /// The frame claims more pixels than any camera has, or hardly any.
    case badSize = "bad-size"
    /// The frame is of another size than the source's, for which the calibration was made.
    case otherSize = "other-size"
  }

  package let code: Code
  /// What is wrong, without an end mark.
  package let cause: String

  package init(_ code: Code, _ cause: String) {
    self.code = code
    self.cause = cause
  }

  package var description: String { "\(code.rawValue) frame: \(cause)" }
}
