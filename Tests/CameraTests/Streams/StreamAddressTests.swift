import Testing

@testable import Camera

@Suite struct StreamAddressTests {
  @Test func addressesAreReadAsTheyAre() throws {
    for text in [
      "rtsp://192.168.1.20:554/stream2", "rtsps://camera.local/", "http://[fe80::1]/video.mjpg",
      "https://h/a?b=c&d=e", "rtsp://h/user={user}&password={password}&channel=1",
    ] {
      #expect(try StreamAddress(text).description == text)
    }
    #expect(try StreamAddress("RTSP://h/s").scheme == "rtsp")
  }

  @Test(arguments: [
    "rtsp://cam:secret@192.168.1.20/s", "rtsp://secret@h", "rtsp://h/user=a_password=secret_c=1",
    "http://h/?PWD=secret", "rtsp://cam:se/cret@h/s",
  ])
  func noPasswordStandsInOne(_ text: String) {
    let refusal = #expect(throws: StreamAddress.Refusal.self) { try StreamAddress(text) }
    #expect(refusal?.description.contains("camera.password-file") == true)
    #expect(refusal?.description.contains("cret") == false)
  }

  @Test(arguments: [
    "", "h", "rtsp:h", "ftp://h/s", "file:///etc/passwd", "rtsp://", "rtsp:///s", "rtsp://h/a b",
    "rtsp://h/a\nfile 'b'", "rtsp://h/ä", "rtsp://h/" + String(repeating: "a", count: 1000),
  ])
  func whatIsNoAddressIsRefused(_ text: String) {
    #expect(throws: StreamAddress.Refusal.self) { try StreamAddress(text) }
  }
}
