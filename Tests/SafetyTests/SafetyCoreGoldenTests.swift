import Safety
import Testing

/// Golden scripts of ``SafetyCore``; ``SafetyScript`` tells how to read them.
struct SafetyCoreGoldenTests {
  static let scripts: [(name: String, script: String)] = [
    (
      "from arming over the countdown to a ball",
      """
      0 wait → disarmed atStart
      0 next → never
      0 arm → refused linkNotReady
      0 link up → disarmed atStart
      1 arm → countdown arming until 4.0 held notSeen
      2 see 4 9 → countdown arming until 4.0
      2 ball 4 9 → stays
      2 next → 3.000000001
      2.5 arm 20 → refused armed
      3.5 see 4 9 → countdown arming until 4.0
      3.9 next → 4.0
      4 wait → live
      4 ball 4 9 → goes
      4.1 ball 4 9 → stays
      4.1 landed → live
      6.9 see 4 9 → live
      6.949 ball 4 9 → stays
      6.95 ball 4 9 → goes
      """
    ),
    (
      "a countdown of nothing is over at once, and one of more than a minute is none",
      """
      0 link up → disarmed atStart
      0 arm 60.1 → refused countdownOutOfRange
      0 arm 0 → live held notSeen
      0 disarm → disarmed operator
      0 order → stop
      0 confirmed → disarmed operator
      1 arm 60 → countdown arming until 61.0 held notSeen
      """
    ),
    (
      "requests that change nothing are fine, those that can't be met say why",
      """
      0 disarm → disarmed atStart
      0 reset → disarmed atStart
      0 pause → refused notArmed
      0 resume → refused notArmed
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 1 → countdown arming until 1.0
      0 resume → countdown arming until 1.0
      0 reset → refused notStopped
      1 arm → live
      1 resume → live
      1 reset → refused notStopped
      1 pause → paused operator
      1 pause → paused operator
      1 arm → refused paused
      1 reset → refused notStopped
      1 stop → stopped pending
      1 arm → refused stopLatched
      1 pause → refused stopLatched
      1 resume → refused stopLatched
      1 disarm → stopped pending
      1 reset → disarmed reset held stopOwed
      """
    ),
    (
      "a change between SIM and REAL disarms, with a link or without",
      """
      0 stack SIM → disarmed atStart
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 landed → live
      0.2 stack SIM → live
      0.3 stack REAL → disarmed otherMachine
      0.3 order → stop
      0.4 link down → disarmed otherMachine held stopOwed
      0.5 stack REAL → disarmed otherMachine held stopOwed
      0.6 link up → disarmed otherMachine
      0.7 confirmed → disarmed otherMachine
      4 see 4 9 → disarmed otherMachine
      4 arm 9 → countdown arming until 13.0
      5 stack SIM → disarmed otherMachine
      6 arm 0 → live held notSeen
      7 link down → paused linkLoss
      8 stack REAL → disarmed otherMachine held stopOwed
      9 link up → disarmed otherMachine
      """
    ),
    (
      "a change between SIM and REAL ends a pause and a rest",
      """
      0 stack REAL → disarmed atStart
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 rest 40 → resting until 37.0
      1 stack SIM → disarmed otherMachine
      1 order → stop
      1 confirmed → disarmed otherMachine
      1 arm 0 → live
      1 pause → paused operator
      2 stack REAL → disarmed otherMachine
      2 resume → refused notArmed
      """
    ),
    (
      "a stop that one machine has confirmed is owed to that of the other kind",
      """
      0 stack SIM → disarmed atStart
      0 link up → disarmed atStart
      0 stop → stopped pending
      0 order → stop
      0.1 confirmed → stopped confirmed
      1 link down → stopped confirmed
      2 stack REAL → stopped pending
      2 order → stop
      3 link up → stopped pending
      3.1 confirmed → stopped confirmed
      """
    ),
    (
      "a detector that repeats itself holds balls back until it measures again, and a countdown after that",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0.5 see 4 9 again → live held detectorRepeats
      1 ball 4 9 → stays
      1.2 see 4 9 again → live held detectorRepeats
      2 see 4 9.1 → countdown silence until 5.0 held stopOnItsWay
      2 order → stop
      2.1 confirmed → countdown silence until 5.0
      2.5 see 4 9.1 → countdown silence until 5.0
      3 see 4 9.1 again → countdown silence until 5.0 held detectorRepeats
      4 see 4 9.2 → countdown silence until 7.0
      5 see 4 9.2 → countdown silence until 7.0
      6 see 4 9.2 → countdown silence until 7.0
      7 see 4 9.2 → live
      7 ball 4 9.2 → goes
      8 see 4 0.2 again → live held detectorRepeats nearNet
      9.5 wait → live held notSeen
      10 see 4 0.2 again → live held detectorRepeats nearNet
      """
    ),
    (
      "positions that can't be metres hold balls back until one can, and a countdown after that",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0.5 see 0.4 0.9 fractions → live held notMetres impossibleJump
      1 ball 0.4 0.9 → stays
      2 see 4 9 → countdown silence until 5.0 held stopOnItsWay
      """
    ),
    (
      "nothing is armed while the loaded level is lost",
      """
      0 level unreadable → disarmed atStart held levelLost
      0 arm → refused levelLost
      0 level drill → disarmed atStart held drillLost
      0 arm → refused drillLost
      0 level lost → disarmed atStart held levelLost
      0 arm → refused levelLost
      0 link up → disarmed atStart held levelLost
      0 arm → refused levelLost
      0 stop → stopped pending held levelLost
      0 arm → refused stopLatched
      0 order → stop
      0.1 confirmed → stopped confirmed held levelLost
      1 reset → disarmed reset held levelLost
      1 arm 0 → refused levelLost
      1 level found → disarmed reset
      1 arm 0 → live held notSeen
      """
    ),
    (
      "a resume counts down as long as a person asks, and shortens no countdown",
      """
      0 link up → disarmed atStart
      0 arm while 1 → countdown arming until 3.0 held notSeen
      0 resume 10 while 2 → refused notPaused
      1 pause → paused operator
      1 resume 60.1 → refused countdownOutOfRange
      1 resume 10 → countdown resuming until 11.0 held notSeen
      2 pause → paused operator
      2 resume 0 → countdown resuming until 11.0 held notSeen
      6 see 4 9 → countdown resuming until 11.0
      10 see 4 9 → countdown resuming until 11.0
      11 see 4 9 → live
      11 resume 10 → refused notPaused
      11 rest 40 → resting until 48.0
      11 order → stop
      11 confirmed → resting until 48.0
      12 resume 60.1 → refused countdownOutOfRange
      12 resume 10 → countdown rest until 22.0
      13 see 4 9 → countdown rest until 22.0
      13 gone 2 → countdown rest until 22.0
      13 gone 1 → paused clientGone
      """
    ),
    (
      "a session that runs takes no other countdown, and no other label",
      """
      0 link up → disarmed atStart
      0 arm for Anna → countdown arming until 3.0 held notSeen
      0 arm 30 for Anna while 1 → refused armed
      0 arm for Ben while 1 → refused armed
      0 gone 1 → countdown arming until 3.0 held notSeen
      0 arm for Anna → countdown arming until 3.0 held notSeen
      2 see 4 9 → countdown arming until 3.0
      3 see 4 9 → live
      3 arm 0 → refused armed
      3 arm for Ben → refused armed
      3 arm while 2 → live
      3 rest 20 → resting until 20.0
      3 order → stop
      3 confirmed → resting until 20.0
      4 arm 30 for Ben → refused armed
      4 arm → resting until 20.0
      5 pause → paused operator
      5 arm for Ben → refused paused
      """
    ),
    (
      "a rest ends with a countdown, and begins with a stop",
      """
      0 link up → disarmed atStart
      0 rest 20 → disarmed atStart
      0 over → disarmed atStart
      0 arm 0 → live held notSeen
      1 see 4 9 → live
      1 ball 4 9 → goes
      1.1 landed → live
      1.1 rest 20 → resting until 18.1 held lastBall
      1.1 order → none
      1.2 next → 3.95
      3.9 order → none
      3.95 order → stop
      4 confirmed → resting until 18.1
      4 arm → resting until 18.1
      4 reset → refused notStopped
      4 next → 18.1
      5 ball 4 9 → stays
      18 see 4 9 → resting until 18.1
      18.1 wait → countdown rest until 21.1
      21 see 4 9 → countdown rest until 21.1
      21.1 ball 4 9 → goes
      21.2 landed → live
      21.2 over → disarmed drillOver held lastBall
      21.2 order → none
      24.1 order → stop
      """
    ),
    (
      "a person's word stops the last ball, too",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 landed → live
      0.1 rest 20 → resting until 17.1 held lastBall
      0.1 order → none
      0.2 pause → paused operator
      0.2 order → stop
      0.3 confirmed → paused operator
      3 see 4 9 → paused operator
      3 resume → countdown resuming until 6.0
      6 see 4 9 → live
      6 ball 4 9 → goes
      6.1 landed → live
      6.1 over → disarmed drillOver held lastBall
      6.1 order → none
      6.2 disarm → disarmed drillOver
      6.2 order → stop
      6.3 confirmed → disarmed drillOver
      9 see 4 9 → disarmed drillOver
      9 arm 0 → live
      9 ball 4 9 → goes
      9.1 landed → live
      9.1 over → disarmed drillOver held lastBall
      9.2 stop → stopped pending
      9.2 order → stop
      """
    ),
    (
      "arming doesn't lose the last ball's stop command",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 landed → live
      0.1 over → disarmed drillOver held lastBall
      0.1 order → none
      0.5 arm 0 → live held stopOnItsWay
      0.5 order → stop
      """
    ),
    (
      "it waits until the machine has turned for the last ball, and so does a ball by hand",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0 turn 8 → live
      0.1 landed → live
      0.1 over → disarmed drillOver held lastBall
      4 order → none
      4 hand → refused tooSoon
      7.9 order → none
      8 order → stop
      8.1 confirmed → disarmed drillOver
      8.1 hand → goes
      8.2 landed → disarmed drillOver
      20 order → none
      20 disarm → disarmed drillOver
      20 order → stop
      """
    ),
    (
      "it waits for the session's own interval",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 every 9 → goes
      0.1 landed → live
      0.1 over → disarmed drillOver held lastBall
      3 order → none
      8.9 order → none
      8.9 hand → refused tooSoon
      9 order → stop
      9.1 confirmed → disarmed drillOver
      9.1 hand → goes
      """
    ),
    (
      "no set begins before the machine has turned for the last one's last ball",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 every 3 → goes
      0 turn 8 → live
      0.1 landed → live
      0.1 rest 4 → resting until 5.0 held lastBall
      5 see 4 9 → countdown rest until 8.0
      7.9 see 4 9 → countdown rest until 8.0
      7.9 order → none
      8 see 4 9 → live held stopOnItsWay
      8 order → stop
      """
    ),
    (
      "a countdown begins again after a standstill in which it ended",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 3 → countdown arming until 3.0
      4.1 still → countdown arming until 7.1 held notSeen
      4.2 see 4 9 → countdown arming until 7.1
      8.2 still → countdown arming until 11.2 held notSeen
      12.3 still → paused silence
      """
    ),
    (
      "the countdown after a rest is seen whole after a standstill, too",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 rest 12 → resting until 9.0
      12.1 still → countdown rest until 15.1 held stopOnItsWay notSeen
      """
    ),
    (
      "a standstill in a rest counts for the silence after it",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 rest 12 → resting until 9.0
      18 still → paused silence
      18 see 4 9 → countdown silence until 21.0 held stopOnItsWay
      19 disarm → disarmed operator
      20 arm 0 → live held stopOnItsWay notSeen
      20 rest 12 → resting until 29.0
      89 still → disarmed silence
      """
    ),
    (
      "a countdown that a standstill swallowed is seen whole, however long it was",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 12 → countdown arming until 12.0
      14 still → paused silence
      14 see 4 9 → countdown silence until 26.0
      """
    ),
    (
      "a shorter countdown brings no set before its time",
      """
      0 link up → disarmed atStart
      0 countdown 10 → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 every 12 → goes
      0.1 landed → live
      0.1 rest 1 → resting until 2.0 held lastBall
      1 countdown 0 → resting until 2.0 held lastBall
      2.1 see 4 9 → countdown rest until 12.0
      2.1 order → none
      7 see 4 9 → countdown rest until 12.0
      11.8 see 4 9 → countdown rest until 12.0
      12 order → stop
      """
    ),
    (
      "nor does a link that is away at the rest's end",
      """
      0 link up → disarmed atStart
      0 countdown 10 → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 rest 12 → resting until 2.0
      1 countdown 0 → resting until 2.0
      1.5 link down → resting until 2.0
      2 wait → paused linkLoss
      2.5 see 4 9 → paused linkLoss
      3 link up → countdown linkLoss until 12.0 held stopOnItsWay
      """
    ),
    (
      "what is known of a stop that is overdue may change",
      """
      0 link up → disarmed atStart
      1 stop → stopped pending
      1 order → stop
      7 overdue → stopped notDelivered
      9 stop → stopped notDelivered
      15 overdue unconfirmed → stopped unconfirmed
      16 confirmed → stopped confirmed
      """
    ),
    (
      "a machine that comes after a confirmed stop gets its own",
      """
      0 link up → disarmed atStart
      0 stop → stopped pending
      0 order → stop
      0 confirmed → stopped confirmed
      1 machine → stopped pending
      1 order → stop
      1.1 confirmed → stopped confirmed
      """
    ),
    (
      "a stop pressed again after a confirmed one is no doubt of that one",
      """
      0 link up → disarmed atStart
      0 stop → stopped pending
      0 order → stop
      0 confirmed → stopped confirmed
      1 link down → stopped confirmed
      1 stop → stopped confirmed
      1 order → stop
      2 machine → stopped pending
      2.1 confirmed → stopped confirmed
      """
    ),
    (
      "a long countdown is seen whole after a standstill",
      """
      0 link up → disarmed atStart
      0 arm 30 → countdown arming until 30.0 held notSeen
      4 see 4 9 → countdown arming until 30.0
      8 see 4 9 → countdown arming until 30.0
      12 see 4 9 → countdown arming until 30.0
      16 see 4 9 → countdown arming until 30.0
      20 see 4 9 → countdown arming until 30.0
      24 see 4 9 → countdown arming until 30.0
      28 see 4 9 → countdown arming until 30.0
      31.5 still → countdown arming until 61.5 held notSeen
      """
    ),
    (
      "the way out doesn't wait for the last ball",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 landed → live
      0.1 over → disarmed drillOver held lastBall
      0.2 end → stop
      """
    ),
    (
      "a rest doesn't ask where the player is; its end does",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 see 4 9 → live
      1 rest 103 → resting until 101.0
      1 order → stop
      1 confirmed → resting until 101.0
      100 wait → resting until 101.0
      101 wait → countdown rest until 104.0 held notSeen
      104 wait → live held notSeen
      106 wait → paused silence
      161 wait → disarmed silence
      """
    ),
    (
      "a rest that is shorter than the countdown is a countdown",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 see 4 9 → live
      1 rest 2 → countdown rest until 4.0 held stopOnItsWay
      1 order → stop
      1 confirmed → countdown rest until 4.0
      """
    ),
    (
      "a rest outlasts a short loss of the link, and ends with a long one",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 see 4 9 → live
      1 rest 23 → resting until 21.0
      1 order → stop
      1 confirmed → resting until 21.0
      2 link down → resting until 21.0
      3 link up → resting until 21.0
      20 link down → resting until 21.0
      20 resume → refused linkNotReady
      21 wait → paused linkLoss
      22 see 4 9 → paused linkLoss
      25 link up → countdown linkLoss until 28.0 held notSeen
      26 see 4 9 → countdown linkLoss until 28.0
      28 see 4 9 → live
      29 rest 100 → resting until 126.0
      30 link down → resting until 126.0
      60 wait → disarmed linkLoss held stopOwed
      """
    ),
    (
      "a person ends a rest sooner, or pauses it",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 see 4 9 → live
      1 rest 100 → resting until 98.0
      1 order → stop
      1 confirmed → resting until 98.0
      50 resume → countdown rest until 53.0 held notSeen
      53 see 4 9 → live
      54 rest 100 → resting until 151.0
      54 order → stop
      54 confirmed → resting until 151.0
      60 pause → paused operator
      500 wait → paused operator
      500 resume → countdown resuming until 503.0 held notSeen
      503 see 4 9 → live
      504 rest 100 → resting until 601.0
      505 stop → stopped pending
      """
    ),
    (
      "what a person pauses waits for a person, and then counts down",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 see 4 9 → live
      2 pause → paused operator
      2 order → stop
      2.1 confirmed → paused operator
      900 wait → paused operator
      900 next → never
      900 link down → paused operator
      990 resume → refused linkNotReady
      990 link up → paused operator
      1000 resume → countdown resuming until 1003.0 held notSeen
      1002 pause → paused operator
      1002 order → none
      1002 resume → countdown resuming until 1005.0 held notSeen
      1003 see 4 9 → countdown resuming until 1005.0
      1005 wait → live held notSeen
      """
    ),
    (
      "after 5 s of silence a countdown, after 60 s disarmed",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 see 4 9 → live
      5.999 wait → live held notSeen
      6 wait → paused silence
      6 order → stop
      6 confirmed → paused silence
      6 resume → refused playerNotSeen
      6 next → 61.0
      10 see 4 9 → countdown silence until 13.0
      12 ball 4 9 → stays
      13 see 4 9 → live
      13 ball 4 9 → goes
      13 landed → live
      72.999 wait → paused silence
      73 wait → disarmed silence
      74 see 4 9 → disarmed silence
      """
    ),
    (
      "a countdown in which nobody is seen for 5 s doesn't end in a ball",
      """
      0 link up → disarmed atStart
      0 arm 10 → countdown arming until 10.0 held notSeen
      5 wait → paused silence
      9 see 4 9 → countdown silence until 12.0
      """
    ),
    (
      "a long silence is over only for a position that is new",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      20 wait → paused silence
      20 order → stop
      20 confirmed → paused silence
      14 see 4 9 → paused silence
      20 see 4 9 → countdown silence until 23.0
      """
    ),
    (
      "a link that is back within 30 s goes on after a countdown, later it has disarmed",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      1 see 4 9 → live
      1 link down → paused linkLoss
      1 order → stop
      1 ball 4 9 → stays
      4 see 4 9 → paused linkLoss
      8 see 4 9 → paused linkLoss
      9 link up → countdown linkLoss until 12.0 held stopOnItsWay
      9.1 confirmed → countdown linkLoss until 12.0 held notSeen
      9.2 link down → paused linkLoss
      9.2 order → none
      20 see 4 9 → paused linkLoss
      39.199 see 4 9 → paused linkLoss
      39.2 wait → disarmed linkLoss
      50 link up → disarmed linkLoss
      """
    ),
    (
      "a link that is back finds nobody: that is silence",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 link down → paused linkLoss
      1 order → stop
      7 link up → paused silence
      7 confirmed → paused silence
      8 see 4 9 → countdown silence until 11.0
      """
    ),
    (
      "a stop latches whatever comes, and is written again when it is asked for again",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm → countdown arming until 3.0
      1 stop → stopped pending
      1 order → stop
      1 order → none
      1 stop → stopped pending
      1 order → none
      1.2 unconfirmed → stopped unconfirmed
      1.3 stop → stopped pending
      1.3 order → stop
      1.4 lost → stopped notDelivered
      2 stop → stopped pending
      2 order → stop
      2 confirmed → stopped confirmed
      3 stop → stopped confirmed
      3 order → stop
      3 lost → stopped confirmed
      4 link down → stopped confirmed
      5 link up → stopped confirmed
      5 order → stop
      5.1 confirmed → stopped confirmed
      6 see 4 9 → stopped confirmed
      6 ball 4 9 → stays
      6 hand → refused stopLatched
      900 wait → stopped confirmed
      900 reset → disarmed reset
      900 order → none
      """
    ),
    (
      "a stop before any machine is there waits for it",
      """
      0 stop → stopped pending
      0 order → stop
      9 link up → stopped pending
      9.1 confirmed → stopped confirmed
      """
    ),
    (
      "another machine's word is none on the stop that the one before was to get",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 landed → live
      1 link down → paused linkLoss
      1 stop → stopped pending
      1 order → stop
      2 machine → stopped pending
      2 link up → stopped pending
      2 confirmed → stopped notDelivered
      2 link down → stopped notDelivered
      2 link up → stopped notDelivered
      2 order → none
      3 stop → stopped pending
      3 order → stop
      3 confirmed → stopped notDelivered
      4 reset → disarmed reset
      4 stop → stopped pending
      4 order → stop
      4 confirmed → stopped confirmed
      """
    ),
    (
      "nor on one that was written and not acknowledged",
      """
      0 link up → disarmed atStart
      0 stop → stopped pending
      0 order → stop
      0 unconfirmed → stopped unconfirmed
      1 link down → stopped unconfirmed
      2 machine → stopped unconfirmed
      2 link up → stopped unconfirmed
      2 order → stop
      2 confirmed → stopped unconfirmed
      3 link down → stopped unconfirmed
      3 link up → stopped unconfirmed
      3 order → none
      """
    ),
    (
      "a ball by hand pauses the automatic mode, one that is refused changes nothing",
      """
      0 hand → refused linkNotReady
      0 link up → disarmed atStart
      0 hand → goes
      0 hand → refused ballOnItsWay
      0.1 landed → disarmed atStart
      1 hand → refused tooSoon
      2.95 hand → goes
      3 landed → disarmed atStart
      3 see 4 9 → disarmed atStart
      3 arm 0 → live held stopOnItsWay
      3 order → stop
      3.1 confirmed → live
      5.9 see 4 9 → live
      5.9 ball 4 9 → goes
      5.95 landed → live
      6 hand → refused tooSoon
      6 wait → live
      6 order → none
      9 hand → goes
      9 landed → paused manual
      9 disarm → disarmed operator
      9 order → stop
      9 hand → refused stopOnItsWay
      9.1 confirmed → disarmed operator
      9.1 end → none
      """
    ),
    (
      "after a ball by hand, a pause, a client that goes and a disarming stop the machine",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 hand → goes
      0.1 landed → disarmed atStart
      0.2 order → none
      0.3 disarm → disarmed atStart
      0.3 order → stop
      0.4 confirmed → disarmed atStart
      1 arm 0 while 1 → live
      3 see 4 9 → live
      3 hand → goes
      3.1 landed → paused manual
      3.2 order → none
      3.3 pause → paused operator
      3.3 order → stop
      3.4 confirmed → paused operator
      6 hand → goes
      6.1 landed → paused operator
      6.2 order → none
      6.3 gone 1 → paused operator
      6.3 order → stop
      """
    ),
    (
      "after three commands that the machine did not take it pauses until a person resumes",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      0 see 4 9 → live
      0 ball 4 9 → goes
      0.1 landed refused → live
      3 see 4 9 → live
      3 ball 4 9 → goes
      3.1 landed → live
      6 see 4 9 → live
      6 ball 4 9 → goes
      6.1 landed refused → live
      9 see 4 9 → live
      9 ball 4 9 → goes
      9.1 landed not sent → live
      12 see 4 9 → live
      12 ball 4 9 → goes
      12.1 landed refused → live
      15 see 4 9 → live
      15 ball 4 9 → goes
      15 order → none
      16 link down → paused linkLoss
      16.1 landed unanswered → paused refused
      16.1 order → stop
      16.2 confirmed → paused refused
      17 link up → paused refused
      17 pause → paused refused
      900 see 4 9 → paused refused
      900 next → never
      900 resume → countdown resuming until 903.0
      903 see 4 9 → live
      903 ball 4 9 → goes
      903.1 landed refused → live
      906 see 4 9 → live
      906 ball 4 9 → goes
      906.1 landed refused → live
      907 disarm → disarmed operator
      907 order → stop
      907 unconfirmed → disarmed operator held stopOwed
      908 arm 0 → live held notSeen
      909.2 see 4 9 → live
      909.2 ball 4 9 → goes
      909.3 landed refused → live
      """
    ),
    (
      "refused commands by hand leave the pause as it is",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      0 see 4 9 → live
      0 hand → goes
      0.1 landed refused → paused manual
      3 hand → goes
      3.1 landed refused → paused manual
      6 hand → goes
      6.1 landed refused → paused manual
      8 resume → countdown resuming until 11.0 held stopOnItsWay notSeen
      """
    ),
    (
      "a stop that the machine confirms ends the row of refusals",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      0 see 4 9 → live
      0 ball 4 9 → goes
      0.1 landed refused → live
      3 see 4 9 → live
      3 ball 4 9 → goes
      3.1 landed refused → live
      8 wait → paused silence
      8 order → stop
      8.1 confirmed → paused silence
      9 see 4 9 → countdown silence until 12.0
      12 see 4 9 → live
      12 ball 4 9 → goes
      12.1 landed refused → live
      """
    ),
    (
      "a ball that did not leave keeps its interval all the same",
      """
      0 link up → disarmed atStart
      0 hand → goes
      0 landed not sent → disarmed atStart
      2 hand → refused tooSoon
      """
    ),
    (
      "near the net and behind it no ball, a hair farther one",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 see 4 0.499 → live held nearNet
      1 ball 4 0.499 → stays
      1 see 4 -0.001 → live held behindNet
      1 ball 4 -0.001 → stays
      1 ball 4 0.5 → goes
      """
    ),
    (
      "a leap holds for as long as it is in the average",
      """
      0 link up → disarmed atStart
      0 see 1 9 → disarmed atStart
      0 arm 0 → live
      0.2 see 3.4 9 → live
      0.4 see 5.81 9 → live held impossibleJump
      0.4 ball 5.81 9 → stays
      0.9 see 5.81 9 → live held impossibleJump
      1.4 see 5.81 9 → live held impossibleJump
      1.4 next → 1.400000001
      1.5 ball 5.81 9 → goes
      """
    ),
    (
      "on the way out a stop is owed to what was armed, not to what never was",
      """
      0 link up → disarmed atStart
      0 arm → countdown arming until 3.0 held notSeen
      1 end → stop
      1 wait → disarmed ending
      """
    ),
    (
      "on the way out nothing is owed after a confirmed stop",
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 stop → stopped pending
      1 order → stop
      1 confirmed → stopped confirmed
      2 end → none
      2 wait → stopped confirmed
      """
    ),
    (
      "a stop without an acknowledgement is written again on each further link, before any ball",
      """
      0 link up → disarmed atStart
      1 stop → stopped pending
      1 order → stop
      1.5 unconfirmed → stopped unconfirmed
      1.6 order → none
      2 link down → stopped unconfirmed
      3 link up → stopped unconfirmed
      3 order → stop
      3.5 unconfirmed → stopped unconfirmed
      4 reset → disarmed reset held stopOwed
      5 link down → disarmed reset held stopOwed
      6 link up → disarmed reset held stopOwed
      6 see 4 9 → disarmed reset held stopOwed
      6 arm 0 → live held stopOnItsWay
      6 ball 4 9 → stays
      6 order → stop
      6 confirmed → live
      6 ball 4 9 → goes
      """
    ),
    (
      "on the way out a doubtful stop is owed although it was reset",
      """
      0 link up → disarmed atStart
      1 stop → stopped pending
      1 order → stop
      1 unconfirmed → stopped unconfirmed
      2 reset → disarmed reset held stopOwed
      3 end → stop
      """
    ),
    (
      "a session that has had as many balls as new rules allow is over",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 landed → live
      1 see 4 9 → live
      1 limit 2 → live
      1 limit 1 → disarmed ballLimit held lastBall
      1 order → none
      2.95 order → stop
      """
    ),
    (
      "new rules leave a ball that is on its way its outcome",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 limit 1 → live
      0.2 landed → disarmed ballLimit held lastBall
      """
    ),
    (
      "a lower ball limit counts as soon as a ball by hand has landed",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 landed → live
      3 hand → goes
      3.1 limit 1 → paused manual
      3.2 landed → disarmed ballLimit held lastBall
      """
    ),
    (
      "on the way out a stop is owed after one that nobody confirmed",
      """
      0 link up → disarmed atStart
      1 stop → stopped pending
      1 order → stop
      1 unconfirmed → stopped unconfirmed
      2 end → stop
      """
    ),
    (
      "a stop that is released before it is confirmed stays owed",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 → goes
      0.1 landed → live
      0.5 stop → stopped pending
      0.5 order → stop
      0.6 reset → disarmed reset held stopOwed
      0.7 confirmed → disarmed reset
      1 link down → disarmed reset
      1 stop → stopped pending
      1 order → stop
      7 overdue → stopped notDelivered
      8 reset → disarmed reset held stopOwed
      9 disarm → disarmed reset held stopOwed
      10 link up → disarmed reset held stopOwed
      10.1 unconfirmed → disarmed reset held stopOwed
      11 see 4 9 → disarmed reset held stopOwed
      11 arm 0 → live
      """
    ),
    (
      "disarmed shows a stop that is owed, but not one that ends soon",
      """
      0 link up → disarmed atStart
      0 hand → goes
      0.1 landed → disarmed atStart
      4 disarm → disarmed atStart
      4 order → stop
      4.1 lost → disarmed atStart held stopOwed
      5 link down → disarmed atStart held stopOwed
      6 link up → disarmed atStart held stopOwed
      6 order → stop
      6.1 confirmed → disarmed atStart
      """
    ),
    (
      "a stop that the machine has confirmed is shown by no later disarming, whenever it was reset",
      """
      0 link up → disarmed atStart
      0 stop → stopped pending
      0 order → stop
      0.1 confirmed → stopped confirmed
      1 reset → disarmed reset
      2 hand → goes
      2.1 landed → disarmed reset
      4 disarm → disarmed reset
      4 order → stop
      4.1 confirmed → disarmed reset
      5 stop → stopped pending
      5 order → stop
      5 reset → disarmed reset held stopOwed
      5.1 confirmed → disarmed reset
      7 hand → goes
      7.1 landed → disarmed reset
      8 disarm → disarmed reset
      8 order → stop
      """
    ),
    (
      "a second stop that is reset at once is not shown after one that the machine has confirmed",
      """
      0 link up → disarmed atStart
      0 stop → stopped pending
      0 order → stop
      0.1 confirmed → stopped confirmed
      1 stop → stopped confirmed
      1 reset → disarmed reset
      1 order → stop
      1.1 unconfirmed → disarmed reset held stopOwed
      """
    ),
    (
      "a stop that another machine was to get is not shown by this one's later disarming",
      """
      0 link up → disarmed atStart
      1 link down → disarmed atStart
      1 stop → stopped pending
      1 order → stop
      2 machine → stopped pending
      2 link up → stopped pending
      2 confirmed → stopped notDelivered
      3 reset → disarmed reset
      4 hand → goes
      4.1 landed → disarmed reset
      6 disarm → disarmed reset
      6 order → stop
      """
    ),
    (
      "the last ball of a drill is shown until it has been thrown, and so is a set's",
      """
      0 link up → disarmed atStart
      0 see 4 9 → disarmed atStart
      0 arm 0 → live
      0 ball 4 9 every 5 → goes
      0.1 landed → live
      0.1 rest 20 → resting until 17.1 held lastBall
      4.9 wait → resting until 17.1 held lastBall
      5 wait → resting until 17.1
      5 order → stop
      5.1 confirmed → resting until 17.1
      6 see 4 9 → resting until 17.1
      6 resume → countdown rest until 9.0
      8.5 see 4 9 → countdown rest until 9.0
      9 wait → live
      9 ball 4 9 every 5 → goes
      9.1 landed → live
      9.1 over → disarmed drillOver held lastBall
      13.9 wait → disarmed drillOver held lastBall
      14 wait → disarmed drillOver
      14 order → stop
      14.1 confirmed → disarmed drillOver
      """
    ),
    (
      "a stop that is on its way for long says so, and holds balls until its end",
      """
      0 link up → disarmed atStart
      0 overdue → disarmed atStart
      1 stop → stopped pending
      1 order → stop
      2 link down → stopped pending
      7 overdue → stopped notDelivered
      8 stop → stopped notDelivered
      8 order → none
      14 unconfirmed → stopped unconfirmed
      14 stop → stopped pending
      14 order → stop
      15 reset → disarmed reset held stopOwed
      16 link up → disarmed reset held stopOwed
      16 hand → refused stopOnItsWay
      17 stop → stopped pending
      17 order → none
      18 confirmed → stopped confirmed
      24 overdue → stopped confirmed
      """
    ),
    (
      "what was known so far gives way to the outcome, though it is another machine's",
      """
      0 link up → disarmed atStart
      1 stop → stopped pending
      1 order → stop
      7 overdue unconfirmed → stopped unconfirmed
      8 machine → stopped unconfirmed
      9 confirmed → stopped notDelivered
      """
    ),
    (
      "without its client it pauses at once, and waits for a person",
      """
      0 link up → disarmed atStart
      0 arm 0 while 1 → live held notSeen
      1 see 4 9 → live
      1 ball 4 9 → goes
      1 landed → live
      1.5 gone 2 → live
      2 gone 1 → paused clientGone
      2 order → stop
      2 confirmed → paused clientGone
      2 next → never
      2 see 4 9 → paused clientGone
      3 arm → refused paused
      3 gone 1 → paused clientGone
      100 see 4 9 → paused clientGone
      100 resume → countdown resuming until 103.0
      101 gone 1 → countdown resuming until 103.0
      """
    ),
    (
      "a client's end counts in a countdown and in a rest",
      """
      0 link up → disarmed atStart
      0 arm while 1 → countdown arming until 3.0 held notSeen
      1 gone 1 → paused clientGone
      1 resume while 2 → countdown resuming until 4.0 held notSeen
      2 see 4 9 → countdown resuming until 4.0
      4 see 4 9 → live
      4 rest 20 → resting until 21.0
      5 gone 2 → paused clientGone
      """
    ),
    (
      "a client's end keeps what ends by itself from doing so",
      """
      0 link up → disarmed atStart
      0 arm 0 while 1 → live held notSeen
      5 wait → paused silence
      5 order → stop
      5 confirmed → paused silence
      6 gone 1 → paused clientGone
      7 see 4 9 → paused clientGone
      7 resume while 2 → countdown resuming until 10.0
      8 link down → paused linkLoss
      9 gone 2 → paused clientGone
      10 link up → paused clientGone
      10 see 4 9 → paused clientGone
      60 link down → paused clientGone
      200 wait → paused clientGone
      """
    ),
    (
      "a client's end is nothing new to what waits for a person, or is not armed",
      """
      0 gone 1 → disarmed atStart
      0 link up → disarmed atStart
      0 arm while 1 → countdown arming until 3.0 held notSeen
      1 pause → paused operator
      1 gone 1 → paused operator
      1 resume → countdown resuming until 4.0 held notSeen
      1 disarm → disarmed operator
      2 arm while 1 → countdown arming until 5.0 held notSeen
      2 disarm → disarmed operator
      2 gone 1 → disarmed operator
      3 arm while 1 → countdown arming until 6.0 held notSeen
      3 over → disarmed drillOver
      3 arm → countdown arming until 6.0 held notSeen
      3 gone 1 → countdown arming until 6.0 held notSeen
      4 arm while 1 → countdown arming until 6.0 held notSeen
      4 stop → stopped pending
      4 gone 1 → stopped pending
      """
    ),
    (
      "another client takes the place of the first, and no request removes it",
      """
      0 link up → disarmed atStart
      0 arm 0 while 1 → live held notSeen
      1 arm while 2 → live held notSeen
      1 gone 1 → live held notSeen
      1 resume while 3 → live held notSeen
      1 gone 2 → live held notSeen
      1 arm → live held notSeen
      1 resume → live held notSeen
      2 gone 3 → paused clientGone
      2 order → stop
      2 confirmed → paused clientGone
      3 arm while 4 → refused paused
      3 resume while 5 → countdown resuming until 6.0 held notSeen
      3 gone 4 → countdown resuming until 6.0 held notSeen
      4 pause → paused operator
      4 resume → countdown resuming until 7.0 held notSeen
      5 arm while 6 → countdown resuming until 7.0 held notSeen
      5 gone 5 → countdown resuming until 7.0 held notSeen
      6 see 4 9 → countdown resuming until 7.0
      7 see 4 9 → live
      7 rest 20 → resting until 24.0
      7 order → stop
      7 confirmed → resting until 24.0
      8 resume → countdown rest until 11.0
      8 gone 6 → paused clientGone
      9 see 4 9 → paused clientGone
      9 resume → countdown resuming until 12.0
      9 gone 6 → countdown resuming until 12.0
      """
    ),
    (
      "a resume without a client keeps the one that is there",
      """
      0 link up → disarmed atStart
      0 arm 0 while 1 → live held notSeen
      1 pause → paused operator
      1 order → stop
      1 confirmed → paused operator
      2 resume → countdown resuming until 5.0 held notSeen
      3 gone 1 → paused clientGone
      4 resume while 2 → countdown resuming until 7.0 held notSeen
      5 pause → paused operator
      6 gone 2 → paused operator
      7 resume → countdown resuming until 10.0 held notSeen
      8 gone 2 → countdown resuming until 10.0 held notSeen
      """
    ),
  ]

  @Test(arguments: scripts) func script(_ name: String, _ script: String) throws {
    var player = SafetyScript()
    try player.play(script)
  }

  @Test func theBallLimitEndsTheSessionWithTheLastBallsOutcome() throws {
    var rules = SafetyRules()
    rules.ballLimit = 2
    var script = SafetyScript(rules: rules)
    try script.play(
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      0 see 4 9 → live
      0 ball 4 9 → goes
      0.1 landed not sent → live
      3 see 4 9 → live
      3 ball 4 9 → goes
      3 landed → live
      6 see 4 9 → live
      6 ball 4 9 → goes
      6 order → none
      9 see 4 9 → live
      9 ball 4 9 → stays
      9 landed → disarmed ballLimit held lastBall
      11.6 order → none
      11.75 order → stop
      11.75 arm 0 → live held stopOnItsWay notSeen
      11.8 confirmed → live held notSeen
      11.8 see 4 9 → live
      11.8 ball 4 9 → goes
      """
    )
  }

  @Test(arguments: [
    (
      "it arms once, when the machine is ready",
      """
      1 wait → pending
      1 next → never
      1 hand → refused linkNotReady
      1 arm → pending
      1 resume → pending
      1 reset → refused notStopped
      2 link up → countdown arming until 5.0 held notSeen
      3 disarm → disarmed operator
      4 link down → disarmed operator
      5 link up → disarmed operator
      """
    ),
    (
      "the countdown that a person asks for meanwhile counts",
      """
      1 arm 60.1 → refused countdownOutOfRange
      1 arm 20 → pending
      1 arm → pending
      1 resume 60.1 → refused countdownOutOfRange
      1 resume → pending
      2 link up → countdown arming until 22.0 held notSeen
      """
    ),
    (
      "a disarming cancels it",
      """
      1 disarm → disarmed operator
      2 link up → disarmed operator
      2 order → none
      """
    ),
    (
      "a pause holds it until a person resumes",
      """
      1 pause → paused operator
      2 resume → refused linkNotReady
      2 link up → paused operator
      3 resume → countdown resuming until 6.0 held notSeen
      """
    ),
    (
      "a stop overrides it",
      """
      1 stop → stopped pending
      2 link up → stopped pending
      2 order → stop
      2 confirmed → stopped confirmed
      3 reset → disarmed reset
      """
    ),
    (
      "a client's end holds it, before the machine is ready and after",
      """
      1 arm while 1 → pending
      1 arm 5 → pending
      1 gone 2 → pending
      1 gone 1 → paused clientGone
      2 link up → paused clientGone
      3 resume → countdown resuming until 6.0 held notSeen
      """
    ),
    (
      "a pause before the machine is ready keeps its client",
      """
      1 arm while 1 → pending
      1 pause → paused operator
      2 link up → paused operator
      3 resume → countdown resuming until 6.0 held notSeen
      4 gone 1 → paused clientGone
      """
    ),
    (
      "a client that it got before the machine is ready counts afterwards",
      """
      1 resume while 1 → pending
      2 link up → countdown arming until 5.0 held notSeen
      3 gone 1 → paused clientGone
      """
    ),
    ("nothing was fed at its end", "1 end → none"),
  ])
  func pending(_ name: String, _ script: String) throws {
    var player = SafetyScript(armsWhenReady: true)
    try player.play(script)
  }

  @Test func theTimeLimitCountsFromArming() throws {
    var rules = SafetyRules()
    rules.timeLimit = .seconds(20)
    var script = SafetyScript(rules: rules)
    try script.play(
      """
      0 link up → disarmed atStart
      5 arm 0 → live held notSeen
      6 pause → paused operator
      6 next → 25.0
      24.999 wait → paused operator
      25 wait → disarmed timeLimit
      25 order → stop
      25 confirmed → disarmed timeLimit
      26 arm 0 → live held notSeen
      """
    )
  }

  @Test func aLongerIntervalHoldsForBallsByHandToo() throws {
    var rules = SafetyRules()
    rules.leastInterval = .seconds(5)
    var script = SafetyScript(rules: rules)
    try script.play(
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      0 see 4 9 → live
      0 ball 4 9 → goes
      0 landed → live
      4.999 see 4 9 → live
      4.999 ball 4 9 → stays
      4.999 hand → refused tooSoon
      5 hand → goes
      """
    )
  }

  /// A write whose answer is late may have left late. A usual answer disturbs nothing.
  @Test(arguments: [(0.25, 2.95), (0.375, 3.075), (2.5, 5.2)])
  func theIntervalCountsFromALateOutcomeToo(landed: Double, next: Double) throws {
    var script = SafetyScript()
    try script.play(
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      0 see 4 9 → live
      0 ball 4 9 → goes
      \(landed) see 4 9 → live
      \(landed) landed → live
      \(next - 0.001) see 4 9 → live
      \(next - 0.001) ball 4 9 → stays
      \(next + 0.001) ball 4 9 → goes
      """
    )
  }

  @Test func theIntervalCountsFromALateOutcomeByHandToo() throws {
    var script = SafetyScript()
    try script.play(
      """
      0 link up → disarmed atStart
      0 hand → goes
      2.5 landed → disarmed atStart
      5.199 hand → refused tooSoon
      5.25 hand → goes
      8 landed not sent → disarmed atStart
      8.25 hand → goes
      """
    )
  }

  @Test func aShorterIntervalThanTheLinksIsNone() throws {
    var rules = SafetyRules()
    rules.leastInterval = .seconds(1)
    var script = SafetyScript(rules: rules)
    try script.play(
      """
      0 link up → disarmed atStart
      0 hand → goes
      0 landed → disarmed atStart
      2.949 hand → refused tooSoon
      2.95 hand → goes
      """
    )
  }

  @Test func withoutStopsOnTheWayOutOnlyAPersonsStopIsWritten() throws {
    var rules = SafetyRules()
    rules.stopsOnTheWayOut = false
    var script = SafetyScript(rules: rules)
    try script.play(
      """
      0 link up → disarmed atStart
      0 arm 0 → live held notSeen
      1 pause → paused operator
      1 order → none
      1 disarm → disarmed operator
      1 order → none
      1 stop → stopped pending
      1 order → stop
      1 confirmed → stopped confirmed
      2 end → none
      """
    )
  }
}
