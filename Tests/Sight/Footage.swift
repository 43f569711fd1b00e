import CourtMapping
import Glibc
import Scenes

/// A scene's frames one after the other, perhaps through H.264 and back.
struct Footage {
  /// In bits a second: a picture of 1280 × 720 has sixteen times as many pixels, and 1 Mbit/s.
  private static let rate = 60_000

  private let scene: Scene
  private let seconds: Double
  /// The times and truths of the frames that were recoded, and the decoder's output.
  private var recoded: (frames: [(Double, Truth)], output: UnsafeMutablePointer<FILE>)?
  private var count = 0

  init(_ scene: Scene, seconds: Double, isRecoded: Bool) {
    self.scene = scene
    self.seconds = seconds
    if isRecoded { recode() }
  }

  /// - Returns: the frame's time and what is true of it; nil at the end.
  mutating func next(into bytes: inout [UInt8]) -> (Double, Truth)? {
    guard let recoded else {
      let time = scene.time
      return time < seconds ? (time, scene.next(into: &bytes)) : nil
    }
    guard count < recoded.frames.count else {
      pclose(recoded.output)
      return nil
    }
    let read = bytes.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, recoded.output) }
    guard read == bytes.count else { fatalError("ffmpeg gives fewer frames than it got") }
    count += 1
    return recoded.frames[count - 1]
  }

  private mutating func recode() {
    let size = scene.camera.size
    let film = "\(Self.folder)/sight-\(getpid()).h264"
    let raw = "-f rawvideo -pix_fmt bgr24"
    let encode = """
      ffmpeg -v error -y \(raw) -s \(size.width)x\(size.height) -r \(Int(Scene.rate)) -i - \
      -c:v libx264 -preset veryfast -b:v \(Self.rate) -threads 1 '\(film)'
      """
    guard let input = popen(encode, "w") else { fatalError("no memory for ffmpeg") }
    var frames: [(Double, Truth)] = []
    var bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    while scene.time < seconds {
      let time = scene.time
      frames.append((time, scene.next(into: &bytes)))
      guard fwrite(bytes, 1, bytes.count, input) == bytes.count else { break }
    }
    guard pclose(input) == 0,
      let output = popen("ffmpeg -v error -threads 1 -i '\(film)' \(raw) -; rm -f '\(film)'", "r")
    else { fatalError("ffmpeg can't make a film of H.264: is it installed?") }
    recoded = (frames, output)
  }

  private static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
}
