import BlueZ
import Clocks
import MachineLink
import TestSupport
import Testing

/// BlueZ says why a link has fallen, from 5.83 on: services first, then the reason, then the link.
@Suite struct LinkEndTests {
  private func ready() -> Driver {
    var driver = Driver()
    driver.becomeReady()
    driver.signal { $0.peers[0].isTrusted = true }
    #expect(driver.phase == .ready)
    return driver
  }

  private func reason(_ end: String) -> String { "org.bluez.Reason.\(end)" }

  @Test(arguments: LinkEnd.allCases)
  func theReasonIsTold(end: LinkEnd) {
    var driver = ready()
    driver.signal { $0.peers[0].isResolved = false }
    #expect(driver.fault == .linkLost(nil))
    driver.signal { $0.peers[0].endReason = self.reason(end.rawValue) }
    #expect(driver.fault == .linkLost(end))
    driver.signal { $0.peers[0].isConnected = false }
    #expect(driver.fault == .linkLost(end))
    #expect(driver.fault?.reason == "the link was lost: \(end.reason)")
  }

  @Test func inOneBatchItIsToldAtOnce() {
    var driver = ready()
    let before = driver.statuses.count
    driver.signal {
      $0.peers[0].endReason = self.reason("Timeout")
      $0.peers[0].isResolved = false
      $0.peers[0].isConnected = false
    }
    #expect(driver.fault == .linkLost(.timeout))
    #expect(driver.statuses.count == before + 1)
  }

  /// The link that goes is not taken for another one that has come.
  @Test func theOldLinkIsNotLookedAtAgain() {
    var driver = ready()
    driver.signal { $0.peers[0].isResolved = false }
    driver.advance(by: .milliseconds(20))
    #expect(driver.open.isEmpty)
    driver.signal { $0.peers[0].endReason = self.reason("Remote") }
    driver.signal { $0.peers[0].isConnected = false }
    driver.advance(by: .milliseconds(80))
    #expect(driver.open == [.connect(driver.bluez.peers[0].path)])
  }

  @Test func aNewLinkForgetsWhyTheLastOneEnded() {
    var driver = ready()
    driver.signal { $0.peers[0].isResolved = false }
    driver.signal { $0.peers[0].endReason = self.reason("Local") }
    driver.signal { $0.peers[0].isConnected = false }
    driver.advance(by: .milliseconds(100))
    driver.signal { $0.peers[0].isConnected = true }
    driver.answer()  // connect
    driver.answer()  // observe: is there a link?
    driver.signal { $0.peers[0].isResolved = true }
    driver.answer()  // observe: what is in it?
    #expect(driver.phase == .ready)
    driver.signal {
      $0.peers[0].isResolved = false
      $0.peers[0].isConnected = false
    }
    #expect(driver.fault == .linkLost(nil))
  }

  @Test(arguments: ["org.bluez.Reason.Unknown", "org.bluez.Reason.Other", "Timeout", ""])
  func whatSaysNothingIsNotInvented(name: String) {
    #expect(LinkEnd(reason: name) == nil)
    var driver = ready()
    driver.signal { $0.peers[0].isResolved = false }
    driver.signal { $0.peers[0].endReason = name }
    driver.signal { $0.peers[0].isConnected = false }
    #expect(driver.fault == .linkLost(nil))
    #expect(driver.fault?.reason == "the link was lost")
  }

  /// One loss, told in three signals, is one loss.
  @Test func threeSignalsAreOneFailure() {
    var driver = ready()
    for _ in 1...2 {
      driver.signal { $0.peers[0].isResolved = false }
      driver.signal { $0.peers[0].endReason = self.reason("Timeout") }
      driver.signal { $0.peers[0].isConnected = false }
      #expect(driver.statuses.last?.isLoop == false)
      driver.advance(by: .milliseconds(100))
      driver.signal {
        $0.peers[0].endReason = nil
        $0.peers[0].isConnected = true
      }
      driver.answer()
      driver.answer()
      driver.signal { $0.peers[0].isResolved = true }
      driver.answer()
      #expect(driver.phase == .ready)
    }
  }
}
