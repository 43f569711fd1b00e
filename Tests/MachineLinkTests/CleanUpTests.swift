import BlueZ
import DBus
import MachineLink
import Testing

@testable import TestSupport

@Suite final class CleanUpTests {
  private static let adapter: ObjectPath = "/org/bluez/hci0"
  private static let other: ObjectPath = "/org/bluez/hci1"

  private var cleanUp = CleanUp()
  private var bluez = BlueZModel()
  private var mirror = BlueZMirror()

  init() {
    mirror.open(bluez)
    mirror.read(bluez)
  }

  private var tree: ObjectTree? { mirror.state.tree }
  private var device: ObjectPath { bluez.peers[0].path }

  private func change(_ body: (inout BlueZModel) -> Void) {
    let old = bluez
    body(&bluez)
    mirror.follow(bluez, since: old)
    cleanUp.note(tree, adapter: tree?.adapters[Self.adapter])
  }

  /// The operations that put all in order, each of which succeeds.
  private func operations() -> [LinkOperation] {
    var operations: [LinkOperation] = []
    while let operation = cleanUp.next(in: tree), operations.count < 10 {
      operations.append(operation)
      cleanUp.finished(operation, nil)
    }
    return operations
  }

  @Test func theMostUrgentComesFirst() {
    cleanUp.refresh()
    cleanUp.cyclePower(of: Self.adapter)
    cleanUp.remove(device)
    cleanUp.close(device)
    cleanUp.scanBegins(on: Self.adapter)
    #expect(cleanUp.isCyclingPower)
    #expect(
      operations() == [
        .stopDiscovery(adapter: Self.adapter),
        .disconnect(device),
        .removeDevice(device, adapter: Self.adapter),
        .setPowered(false, adapter: Self.adapter),
        .setPowered(true, adapter: Self.adapter),
        .observe(.everything),
      ]
    )
    #expect(!cleanUp.isCyclingPower)
  }

  @Test func onTheWayOutOnlyScanAndLinkArePutInOrder() {
    cleanUp.refresh()
    cleanUp.cyclePower(of: Self.adapter)
    cleanUp.remove(device)
    cleanUp.close(device)
    cleanUp.scanBegins(on: Self.adapter)
    cleanUp.noAttemptFollows(pending: nil)
    #expect(operations() == [.stopDiscovery(adapter: Self.adapter), .disconnect(device)])
  }

  @Test func onTheWayOutAnAdapterThatWeSwitchedOffIsSwitchedOn() {
    let (off, on) = (
      LinkOperation.setPowered(false, adapter: Self.adapter),
      LinkOperation.setPowered(true, adapter: Self.adapter)
    )
    cleanUp.cyclePower(of: Self.adapter)
    // BlueZ is switching it off.
    cleanUp.noAttemptFollows(pending: off)
    cleanUp.finished(off, nil)
    #expect(operations() == [on])
    cleanUp.cyclePower(of: Self.adapter)
    cleanUp.finished(off, nil)
    cleanUp.noAttemptFollows(pending: nil)
    #expect(operations() == [on])
  }

  @Test(arguments: [BlueZError.Kind.timedOut, .inProgress])
  func whatMayStillTakeEffectIsUndone(kind: BlueZError.Kind) {
    let error = BlueZError(kind: kind, name: "", message: "")
    cleanUp.scanBegins(on: Self.adapter)
    cleanUp.finished(.startDiscovery(adapter: Self.adapter, .none), error)
    cleanUp.close(device)
    cleanUp.finished(.connect(device), error)
    #expect(operations() == [.stopDiscovery(adapter: Self.adapter), .disconnect(device)])
  }

  @Test func whatWasRefusedLeavesNothingBehind() {
    let error = BlueZError(kind: .other, name: "", message: "")
    cleanUp.scanBegins(on: Self.adapter)
    cleanUp.finished(.startDiscovery(adapter: Self.adapter, .none), error)
    cleanUp.close(device)
    cleanUp.finished(.connect(device), error)
    #expect(operations() == [])
  }

  @Test func aFailedCleanUpIsNotRepeated() {
    let error = BlueZError(kind: .timedOut, name: "", message: "")
    cleanUp.close(device)
    cleanUp.finished(.disconnect(device), error)
    #expect(operations() == [])
  }

  @Test func aGoodLinkIsKept() {
    cleanUp.close(device)
    cleanUp.keepLink()
    #expect(operations() == [])
  }

  @Test func aPairedDeviceIsNotRemoved() {
    cleanUp.remove(device)
    change { $0.peers[0].isPaired = true }
    #expect(operations() == [])
  }

  @Test func aDeviceThatIsGoneNeedsNothing() {
    cleanUp.close(device)
    cleanUp.remove(device)
    change { $0.peers = [] }
    #expect(operations() == [])
  }

  @Test func aScanEndsWithTheAdaptersPower() {
    cleanUp.scanBegins(on: Self.adapter)
    change { $0.radios[0].isPowered = false }
    #expect(operations() == [])
  }

  @Test func withoutBlueZNothingIsLeftBehind() {
    cleanUp.scanBegins(on: Self.adapter)
    cleanUp.close(device)
    cleanUp.remove(device)
    cleanUp.cyclePower(of: Self.adapter)
    cleanUp.note(nil, adapter: nil)
    #expect(operations() == [])
  }

  @Test func onlyTheLinksOwnAdapterIsSwitchedOff() {
    cleanUp.cyclePower(of: Self.other)
    cleanUp.note(tree, adapter: tree?.adapters[Self.adapter])
    #expect(!cleanUp.isCyclingPower && operations() == [])
  }

  @Test func whatIsFollowedIsKnown() {
    cleanUp.finished(.observe(.device(device)), nil)
    #expect(cleanUp.isViewNarrow)
    cleanUp.finished(.observe(.everything), nil)
    #expect(!cleanUp.isViewNarrow)
    cleanUp.finished(.observe(.device(device)), nil)
    cleanUp.finished(.openBus, nil)
    #expect(!cleanUp.isViewNarrow)
  }
}
