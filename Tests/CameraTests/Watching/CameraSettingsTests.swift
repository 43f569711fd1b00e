import Camera
import Testing
import YAML

@Suite struct CameraSettingsTests {
  private func load(_ camera: String) -> (settings: CameraSettings, problems: [String]) {
    var loader = YAMLLoader<CameraSettings>()
    loader.read(Array("camera:\n  \(camera)\n".utf8), of: "/etc/camera.yaml")
    return (loader.values, loader.problems.map(\.description))
  }

  @Test func sourcesAreRead() {
    let network = load("source: rtsp://192.168.1.20/s\n  password-file: password")
    #expect(network.problems.isEmpty && network.settings.problem == nil)
    #expect(network.settings.source?.description == "rtsp://192.168.1.20/s")
    #expect(network.settings.passwordFile == "/etc/password")
    let program = load("command: [rpicam-vid, --timeout, \"0\", --output, \"-\"]")
    #expect(program.problems.isEmpty && program.settings.problem == nil)
    #expect(program.settings.command == ["rpicam-vid", "--timeout", "0", "--output", "-"])
  }

  @Test(arguments: [
    ("device: /dev/video0\n  source: rtsp://h/s", "camera.device and camera.source"),
    ("device: /dev/video0\n  command: [a]", "camera.device and camera.command"),
    ("source: rtsp://h/s\n  command: [a]", "camera.source and camera.command"),
    ("password-file: p", "camera.password-file needs camera.source"),
  ])
  func onlyOneIsTheCamera(_ keys: String, _ complaint: String) {
    let loaded = load(keys)
    #expect(loaded.problems.isEmpty)
    #expect(loaded.settings.problem?.hasPrefix(complaint) == true, "\(loaded)")
  }

  @Test(arguments: ["command: []", "command: rpicam-vid", "command: [a, 0]", "source: [a]"])
  func otherFormsAreRefused(_ key: String) {
    #expect(load(key).problems.count == 1)
  }

  @Test func aPasswordInAnAddressIsNotRepeated() throws {
    let problem = try #require(load("source: rtsp://cam:secret@h/s").problems.first)
    #expect(problem.contains("camera.password-file") && !problem.contains("secret"), "\(problem)")
  }
}
