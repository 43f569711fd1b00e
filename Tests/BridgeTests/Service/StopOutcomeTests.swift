import Bridge
import MachineLink
import Safety
import Testing

/// What people are told of a stop command, from how its write ended.
@Suite struct StopOutcomeTests {
  @Test(
    arguments: [
      (.delivered, "confirmed", "the machine has acknowledged the stop command"),
      (
        .queued, "unconfirmed",
        "the stop command was written, but not acknowledged: look at the machine, and use its switch"
      ),
      (
        .unknown(.ended), "unconfirmed",
        "the stop command was written, but not acknowledged: look at the machine, and use its switch"
      ),
      (
        .notSent(.rejected(code: 0x0f)), "notDelivered",
        "the stop command did NOT reach the machine (the machine refused it (ATT error 0x0f, insufficient"
          + " encryption: the machine wants to be paired); pair the machine: run `bluetoothctl pair ADDRESS`"
          + " while the machine is in its pairing mode): use its switch"
      ),
      (
        .notSent(.busy), "notDelivered",
        "the stop command did NOT reach the machine (BlueZ is busy with another write to the machine;"
          + " end other programs that write to the machine; if there are none, switch it off and on):"
          + " use its switch"
      ),
      (
        .unknown(.unlikelyError), "unconfirmed",
        "it is NOT KNOWN whether the stop command reached the machine (no acknowledgement came (ATT error"
          + " 0x0e: the machine failed, or the link fell); switch the machine off and on): look at the"
          + " machine, and use its switch"
      ),
      (
        .unknown(.noReply), "unconfirmed",
        "it is NOT KNOWN whether the stop command reached the machine (bluetoothd gave no answer; run"
          + " `systemctl restart bluetooth` if this persists): look at the machine, and use its switch"
      ),
      (
        .unknown(.notRepeated(.machineInUse)), "unconfirmed",
        "it is NOT KNOWN whether the stop command reached the machine (another program writes to the"
          + " machine; end the other program): look at the machine, and use its switch"
      ),
    ] as [(WriteOutcome, String, String)]
  )
  func itSaysWhatWasSeen(write: WriteOutcome, word: String, text: String) {
    let outcome = StopOutcome(write)
    #expect(outcome.word == word)
    #expect(outcome.description == text)
  }
}
