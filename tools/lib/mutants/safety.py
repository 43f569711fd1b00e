"""Mutants of safety."""

TESTS = "SafetyCorePropertyTests"

# Feeding while disarmed shows as a ball, or as a missing stop command.
STRAY = "a (ball while not armed|stop command is owed)"

# NAME: how the tests report it, as a regular expression, and [(PLACE, OLD, NEW)...]
MUTANTS = {
    "stop-does-not-latch": ("a stop does not latch", [(
        "SafetyCore.stop",
        "default: enter(.stopped(.onItsWay))",
        "default: disarm(.byHand)",
    )]),
    "reset-arms": (STRAY, [(
        "SafetyCore.reset",
        "enter(.disarmed(Disarmed(from: stopped)))",
        """
        let disarmed = Disarmed(from: stopped)
        let session = Session(number: 0, armedAt: now)
        enter(.countdown(Countdown(from: disarmed, beginning: session, end: now)))""",
    )]),
    "no-countdown-after-silence": ("a ball before the countdown was over", [(
        "SafetyCore.nextEvent",
        "expect(.silence, after: rules.silenceBeforeCountdown",
        "expect(.silence, after: nil",
    )]),
    "no-countdown-after-a-link-loss": ("a ball before the countdown was over", [(
        "SafetyCore.linkChanged",
        "goOn(from: paused, rules.countdown)",
        "enter(.live(Live(from: Countdown(from: paused, end: now))))",
    )]),
    "no-stop-before-a-rest": ("a stop command is owed", [(
        "State.keepsFeeding",
        "case .live: true",
        "case .live, .resting: true",
    ), (
        "State.keepsFeeding",
        "case .disarmed, .pending, .countdown, .resting, .stopped: false",
        "case .disarmed, .pending, .countdown, .stopped: false",
    )]),
    "balls-in-a-rest": ("a (ball (in a rest|before the)|stop command (is owed|on top of))", [(
        "SafetyCore.rest",
        "Resting(from: live, until: end, nextSet: nextSet)",
        "Resting(from: live, until: now, nextSet: now)",
    )]),
    "no-countdown-after-a-rest": ("a (ball before the countdown was over|stop command on top)", [(
        "SafetyCore.endRest",
        "Countdown(from: resting, end: instant.advanced(by: countdown))",
        "Countdown(from: resting, end: max(instant, lastBallThrown))",
    )]),
    "resumed-with-the-rules-own-countdown": ("a ball before the countdown was over", [(
        "SafetyCore.goOn",
        "now.advanced(by: countdown)",
        "now.advanced(by: rules.countdown)",
    )]),
    "shortened-countdown": ("a ball before the countdown was over", [(
        "Countdown",
        "max(session.countedDownAt, end)",
        "end",
    )]),
    "no-countdown-after-a-standstill": ("a ball before the countdown was over", [(
        "SafetyCore.beginAgain",
        "countdown.prolong(until: instant.advanced(by: length))",
        "countdown.prolong(until: instant)",
    )]),
    "a-countdown-that-a-standstill-swallowed": ("a ball before the countdown was over", [(
        "SafetyCore.apply",
        "if case .countdown(let countdown) = state, isMissed(countdown.until)",
        "if case .countdown(let countdown) = state, isMissed(countdown.until), false",
    )]),
    "a-standstill-in-a-rest-is-no-silence": ("a ball (before the countdown|while not armed)|a stop command is owed", [(
        "SafetyCore.apply",
        "resting.timeIsOver(at: now)",
        "resting.timeIsOver(at: isMissed(now) ? handled : now)",
    )]),
    "a-set-before-its-time": ("a ball before the countdown was over", [(
        "Resting.timeIsOver",
        "max(session.countedDownAt, nextSet)",
        "session.countedDownAt",
    )]),
    "a-rest-that-ends-in-a-standstill": ("a (ball before|stop command on top)", [(
        "SafetyCore.apply",
        "isMissed(now) ? handled : now",
        "now",
    )]),
    "a-confirmed-stop-counts-for-the-next-machine": ("a stop (is confirmed by a machine|command is owed)", [(
        "SafetyCore.machineChanged",
        "if stopped == .ended(.confirmed)",
        "if false",
    )]),
    "armed-from-sim-to-real": ("a (change between SIM and REAL|ball while not armed|stop)", [(
        "SafetyCore.sawStack",
        "machineChanged(at: instant)",
        "",
    )]),
    "a-ball-at-a-detector-that-hangs": ("a ball at a detector in doubt", [(
        "PlayerSight.holds",
        "doubt.map { [$0.hold] } ?? []",
        "[]",
    )]),
    "no-countdown-after-a-detector-that-hung": ("a ball before the countdown was over", [(
        "SafetyCore.saw",
        "} else if wasDoubtful, doubt == nil {",
        "} else if false {",
    )]),
    "a-stop-after-the-least-interval": ("a stop command on top of the last ball", [(
        "BallSpacing.lastBallThrown",
        "max(leastInterval, lastInterval)",
        "leastInterval",
    )]),
    "a-ball-right-behind-a-stop": ("a ball whose answer may be a stop command's", [(
        "StopOrders.ended",
        "lastEnd = now",
        "",
    )]),
    "another-machines-word": ("a stop is confirmed by another machine", [(
        "SafetyCore.machineChanged",
        "if wasOwed || stops.isOnItsWay || stops.isDoubtful { stops.isForEarlierMachine = true }",
        "",
    )]),
    "silence-never-disarms": (STRAY, [(
        "SafetyCore.nextEvent",
        "expect(.longSilence, after: rules.silenceBeforeDisarming",
        "expect(.longSilence, after: nil",
    )]),
    "link-loss-never-disarms": (STRAY, [(
        "SafetyCore.nextEvent",
        "expect(.longLinkLoss, after: rules.linkLossBeforeDisarming",
        "expect(.longLinkLoss, after: nil",
    )]),
    "by-hand-while-stopped": ("a ball while stopped", [(
        "SafetyCore.allowByHand",
        "if case .stopped = state { throw .stopLatched }",
        "",
    )]),
    "by-hand-does-not-pause": ("a ball (while paused|before the countdown was over)", [(
        "SafetyCore.allowByHand",
        "default: pause(.manual)",
        "default: break",
    )]),
    "by-hand-refused-pauses": ("a refused command by hand changes something", [(
        "SafetyCore.allowByHand",
        "if case .stopped = state { throw .stopLatched }",
        "if case .stopped = state { throw .stopLatched }; pause(.manual)",
    )]),
    "by-hand-at-once": ("a ball too soon", [(
        "SafetyCore.allowByHand",
        "guard now >= earliest else",
        "guard true else",
    )]),
    "too-soon": ("a ball (too soon|whose answer may be a stop)", [(
        "SafetyCore.allow",
        "guard isFeeding, now >= earliestBall, holds",
        "guard isFeeding, holds",
    )]),
    "too-soon-after-a-late-outcome": ("a (ball too soon after a late|stop command on top)", [(
        "BallSpacing.ended",
        "if wasSent { lastOutcome = now }",
        "",
    )]),
    "refusals-do-not-pause": ("a (ball after three commands|stop command is owed)", [(
        "SafetyCore.ended",
        "pauseForRefusals()",
        "",
    )]),
    "refusals-end-by-themselves": ("a (ball (after three|while)|stop command is owed)", [(
        "PauseReason.waitsForPerson",
        "self != .silence &&",
        "self != .silence && self != .refused &&",
    )]),
    "client-gone-does-not-pause": ("a (ball after its client has gone|stop command is owed)", [(
        "SafetyCore.clientGone",
        "pauseForPerson(.clientGone)",
        "",
    )]),
    "client-gone-in-a-pause-that-ends": ("a (ball (after its|while)|stop command is owed)", [(
        "SafetyCore.pauseForPerson",
        "case .paused(let paused) where paused.reason.waitsForPerson && paused.reason != .manual:",
        "case .paused:",
    ), (
        "SafetyCore.pauseForPerson",
        "case .disarmed, .stopped, .countdown, .live, .resting, .paused: pause(reason)",
        "case .disarmed, .stopped, .countdown, .live, .resting: pause(reason)",
    )]),
    "resumed-without-its-client": ("a (ball after its client has gone|stop command is owed)", [(
        "SafetyCore.resume",
        "state.client = client ?? state.client",
        "",
    )]),
    "resuming-drops-the-client": ("a (ball after its client has gone|stop command is owed)", [(
        "SafetyCore.resume",
        "state.client = client ?? state.client",
        "state.client = client",
    )]),
    "two-at-once": ("two balls at once", [(
        "SafetyCore.isFeeding",
        "link == .ready && !isBallOnItsWay &&",
        "link == .ready &&",
    )]),
    "ball-before-stop": ("a ball while a stop command is on its way", [(
        "SafetyCore.allowByHand",
        "guard !stops.areBallsHeld else { throw .stopOnItsWay }",
        "",
    )]),
    "without-a-position": ("a ball without a fresh position", [(
        "PlayerSight.holds",
        "guard isWithinTheWindow(lastSeen, at: now), let average else",
        "guard let average else",
    )]),
    "at-the-net": ("a ball at a player near the net", [(
        "PlayerSight.holds",
        "average.y < rules.leastNetDistance",
        "average.y < 0",
    )]),
    "one-too-many": ("a ball while not armed|a stop command is owed, not sent", [(
        "SafetyCore.endAtBallLimit",
        "session.balls >=",
        "session.balls >",
    )]),
    "way-out-without-a-stop": ("a stop command is owed", [(
        "SafetyCore.enter",
        "stops.debt = .afterFeeding",
        "",
    )]),
    "stop-on-top-of-the-last-ball": ("a stop command on top of the last ball", [(
        "SafetyCore.leaveFeeding",
        "isBallOnItsWay || now < lastBallThrown",
        "false",
    )]),
    "stop-after-the-last-ball-forgotten": ("a stop command is owed", [(
        "SafetyCore.apply",
        "case .lastBallThrown: payDebt()",
        "case .lastBallThrown: stops.debt = .none",
    )]),
    "failed-stop-forgotten": ("a stop command is owed, and not kept", [(
        "StopOrders.areOpen",
        "|| isDoubtful",
        "",
    )]),
    "doubtful-stop-not-repeated": ("a stop command is owed, not sent", [(
        "StopOrders.linked",
        "if isDoubtful { isWanted = true }",
        "",
    )]),
    "limit-of-new-rules-ignored": (STRAY, [(
        "SafetyCore.reconfigure",
        "if !isBallOnItsWay { endAtBallLimit() }",
        "",
    )]),
    "ball-before-an-owed-stop": ("a (ball before a stop command that is owed|stop command on top)", [
        ("StopOrders.areBallsHeld", "isOnItsWay || isWanted", "isOnItsWay"),
    ]),
    "time-over": (STRAY, [(
        "SafetyCore.nextEvent",
        "expect(.timeOver, after: rules.timeLimit",
        "expect(.timeOver, after: nil",
    )]),
}
