import Clocks
import Testing

@testable import Camera

/// Who is the camera.
struct CameraChoiceTests {
  private let ben = FrameSupplier(.phone, id: "ben", name: "Ben's phone")
  private let ann = FrameSupplier(.phone, id: "ann", name: "Ann's phone")
  private let address = FrameSupplier(.network, id: "network", name: "the camera on the roof")

  private func at(_ seconds: Double) -> MonotonicInstant { .start.advanced(by: .seconds(seconds)) }

  @Test func aPhoneIsTheCameraFromItsFirstLine() {
    var choice = CameraChoice(configured: nil)
    #expect(!choice.isHandedOver && choice.silence(at: at(0)) == nil)
    #expect(choice.receive(.hello(ben), from: 1, at: at(10)) == [.accept(1), .begin])
    #expect(choice.isHandedOver && choice.current?.supplier == ben)
    #expect(
      choice.silence(at: at(10))
        == SupplierWord("phone-silent", "Ben's phone: it has sent no frame yet")
    )
    #expect(choice.receive(.frame, from: 1, at: at(10.1)).isEmpty)
    #expect(choice.silence(at: at(13)) == nil)
    #expect(choice.silence(at: at(13.2))?.reason == "Ben's phone: it has sent no frame for 3 s")
  }

  @Test func aLivePhoneIsNotReplacedASilentOneIs() {
    var choice = CameraChoice(configured: nil)
    _ = choice.receive(.hello(ben), from: 1, at: at(10))
    _ = choice.receive(.frame, from: 1, at: at(11))
    let refused = SupplierWord("taken", "Ben's phone is the camera")
    #expect(choice.receive(.hello(ann), from: 2, at: at(13.9)) == [.close(2, refused)])
    // A phone that says why it has no frames is there.
    _ = choice.receive(.trouble(SupplierWord("hidden", "the page is hidden")), from: 1, at: at(13))
    #expect(choice.receive(.hello(ann), from: 3, at: at(15.9)) == [.close(3, refused)])
    #expect(
      choice.receive(.hello(ann), from: 4, at: at(16))
        == [
          .close(1, SupplierWord("taken", "Ann's phone is the camera now")), .accept(4), .begin,
        ]
    )
    #expect(choice.current?.supplier == ann)
    // What still comes of the first one counts for nothing.
    _ = choice.receive(.frame, from: 1, at: at(16.1))
    #expect(choice.silence(at: at(16.1))?.reason == "Ann's phone: it has sent no frame yet")
    #expect(choice.receive(.gone, from: 1, at: at(16.2)).isEmpty)
    #expect(choice.current?.connection == 4)
  }

  @Test func aPhoneThatConnectsAgainIsStillTheCamera() {
    var choice = CameraChoice(configured: nil)
    _ = choice.receive(.hello(ben), from: 1, at: at(10))
    _ = choice.receive(.frame, from: 1, at: at(11))
    // Its new connection may be seen before the old one's end.
    #expect(
      choice.receive(.hello(ben), from: 2, at: at(11.5))
        == [.close(1, .reconnected), .accept(2), .begin]
    )
    _ = choice.receive(.gone, from: 2, at: at(12))
    #expect(choice.silence(at: at(12))?.reason == "Ben's phone: it is not connected")
    #expect(choice.receive(.hello(ben), from: 3, at: at(60)) == [.accept(3), .begin])
  }

  /// The silence of a phone is silence: no other camera takes its place by itself.
  @Test func aPhoneThatIsGoneStaysTheCamera() {
    var choice = CameraChoice(configured: nil)
    _ = choice.receive(.hello(ben), from: 1, at: at(10))
    _ = choice.receive(.frame, from: 1, at: at(11))
    #expect(choice.receive(.gone, from: 1, at: at(12)).isEmpty)
    #expect(choice.silence(at: at(13)) == nil)
    #expect(
      choice.silence(at: at(4000))
        == SupplierWord("phone-silent", "Ben's phone: it is not connected any more")
    )
    #expect(choice.isHandedOver)
    #expect(choice.useConfigured() == [.resume])
    #expect(!choice.isHandedOver && choice.silence(at: at(4000)) == nil)
    #expect(choice.useConfigured().isEmpty)
  }

  @Test func aPhoneEndsItsTurn() {
    var choice = CameraChoice(configured: nil)
    _ = choice.receive(.hello(ben), from: 1, at: at(10))
    #expect(choice.receive(.end, from: 1, at: at(11)) == [.close(1, .ended), .resume])
    #expect(choice.receive(.gone, from: 1, at: at(11)).isEmpty)
    _ = choice.receive(.hello(ben), from: 2, at: at(12))
    #expect(choice.useConfigured() == [.close(2, .ended), .resume])
  }

  @Test func aPhoneSaysWhyItHasNoFrames() {
    var choice = CameraChoice(configured: nil)
    _ = choice.receive(.hello(ben), from: 1, at: at(10))
    _ = choice.receive(.frame, from: 1, at: at(11))
    _ = choice.receive(
      .trouble(SupplierWord("hidden", "the page is hidden")),
      from: 1,
      at: at(11.1)
    )
    #expect(
      choice.silence(at: at(11.1))
        == SupplierWord("phone-silent", "Ben's phone: the page is hidden")
    )
    _ = choice.receive(.frame, from: 1, at: at(12))
    #expect(choice.silence(at: at(12)) == nil)
    for time in stride(from: 12.5, to: 16, by: 0.5) {
      _ = choice.receive(.lateFrame(by: .seconds(1.2)), from: 1, at: at(time))
    }
    #expect(choice.silence(at: at(16))?.reason == "Ben's phone: its pictures come 1.2 s late")
    #expect(choice.receive(.hello(ann), from: 2, at: at(16)).count == 1)
  }

  @Test func theConfiguredCameraRestsForAPhone() {
    var choice = CameraChoice(configured: .network)
    #expect(choice.isHandedOver)
    #expect(
      choice.silence(at: at(0))
        == SupplierWord(
          "not-handed-over",
          "the address is read by ballmachine-camera-network.service, which does not run"
        )
    )
    #expect(choice.receive(.hello(address), from: 1, at: at(1)) == [.accept(1), .begin])
    let trouble = SupplierWord("denied", "the password is wrong")
    _ = choice.receive(.trouble(trouble), from: 1, at: at(2))
    #expect(
      choice.silence(at: at(2))
        == SupplierWord("denied", "the camera on the roof: the password is wrong")
    )
    let rests = SupplierWord("resting", "Ben's phone is the camera")
    #expect(
      choice.receive(.hello(ben), from: 2, at: at(3)) == [.close(1, rests), .accept(2), .begin]
    )
    #expect(choice.receive(.hello(address), from: 3, at: at(4)) == [.close(3, rests)])
    #expect(choice.receive(.end, from: 2, at: at(5)) == [.close(2, .ended), .resume])
    #expect(choice.receive(.hello(address), from: 4, at: at(6)) == [.accept(4), .begin])
    _ = choice.receive(.gone, from: 4, at: at(7))
    #expect(choice.silence(at: at(7))?.code == "not-handed-over")
  }

  @Test func onlyTheConfiguredCameraIsHandedOver() {
    for configured in [nil, FrameSupplier.Kind.module] {
      var choice = CameraChoice(configured: configured)
      #expect(
        choice.receive(.hello(address), from: 1, at: at(1)) == [.close(1, .notConfigured)]
      )
      #expect(choice.current == nil)
    }
    var choice = CameraChoice(configured: .network)
    _ = choice.receive(.hello(address), from: 1, at: at(1))
    let taken = SupplierWord("taken", "the camera on the roof is the camera")
    #expect(choice.receive(.hello(address), from: 2, at: at(2)) == [.close(2, taken)])
    #expect(choice.current?.connection == 1)
  }
}
