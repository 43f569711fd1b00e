"""Mutants of the link. `law-N-NAME` breaks law N of those above LinkStateMachine."""

TESTS = "LinkLawTests"

# NAME: [(PLACE, OLD, NEW)...]
MUTANTS = {
    "law-12-insists-without-a-stop": [(
        "LinkStateMachine.machineIsHeld",
        "lanes.isStopWanted && effects.insistsAgainst == nil",
        "effects.insistsAgainst == nil",
    )],
    "law-1-no-deadline-on-the-way-out": [(
        "LinkStateMachine.end",
        "effects.setTimer(.end, after: timing.end)"
        " effects.setTimer(.drain, after: timing.drain + lanes.answers.longestAnswer)",
        "",
    )],
    "law-2-two-in-flight": [(
        "CommandLanes.sendBall",
        "inFlight != nil || overtaken != nil",
        "false",
    )],
    "law-3-forgotten-slot": [("CommandLanes.close", "emptySlot(cause.reason, &effects)", "slot = nil")],
    "law-4-sent-twice": [("CommandLanes.sendBall", "write(…, &effects)", "$0\n$0")],
    "law-4-unknown-is-tried-again": [
        (
            "CommandLanes",
            "private var stop: StopRequest?",
            "$0\nprivate var lastCommand: MachineCommand?",
        ),
        (
            "CommandLanes.sendBall",
            "lastBall = LastBall(writtenAt: effects.now)",
            "$0\nlastCommand = ball.command",
        ),
        (
            "CommandLanes.writeFinished",
            "settle(ball, outcome, &effects)",
            """$0
            if case .unknown = outcome, let lastCommand, let characteristic {
              self.write(lastCommand, .ball(ball), to: characteristic, characteristic.mode, &effects)
            }""",
        ),
    ],
    "law-5-stale-command": [(
        "CommandLanes.sendBall",
        "timing.commandLife",
        "timing.commandLife + .seconds(1)",
    )],
    # Links rarely come back within the half second that a command lives: the next link renews it.
    "law-5-kept-over-a-disconnect": [
        ("CommandLanes.close", "emptySlot(cause.reason, &effects)", "if cause == .ended { $0 }"),
        (
            "CommandLanes.open",
            "stop?.linkOpened()",
            """$0
            if let kept = slot {
              slot = Slot(id: kept.id, command: kept.command, decidedAt: effects.now)
            }""",
        ),
    ],
    "law-5-too-soon": [("CommandLanes.sendBall", "earliest > effects.now", "false")],
    "law-5-too-soon-after-a-late-answer": [(
        "LastBall.earliestNext",
        "return max(afterWrite, afterAnswer ?? afterWrite)",
        "return afterWrite",
    )],
    "law-5-too-soon-after-an-overtaken-write": [(
        "CommandLanes.overtakenEnded",
        "lastBall?.settle(at: now)",
        "",
    )],
    "law-6-ball-before-stop": [(
        "CommandLanes.pump",
        "if stop != nil { … } else { sendBall(to: characteristic, &effects) }",
        "sendBall(to: characteristic, &effects)",
    )],
    "law-6-one-stop-is-enough": [(
        "StopRequest",
        "unacknowledgedStops = 3",
        "unacknowledgedStops = 1",
    )],
    "law-6-a-stops-failure-is-forgotten": [(
        "StopRequest.ended",
        "failure = outcome.isWritten ? nil : outcome",
        "",
    )],
    "law-6-stop-waits-for-the-write": [(
        "StopRequest.nextMode",
        "!isBlocked || mode == .command",
        "!isBlocked",
    )],
    "law-6-radio-confirms-a-stop": [(
        "CommandLanes.stopFinished",
        "case .delivered where answers.expectsAnswers, .queued where answers.expectsAnswers:",
        "case .delivered where false:",
    )],
    "law-6-a-balls-answer-confirms-a-stop": [(
        "CommandLanes.sendStop",
        "effects.now >= answers.ballsAnswerUntil ?? effects.now",
        "true",
    )],
    "law-6-the-answer-of-a-ball-on-its-way-confirms-a-stop": [(
        "CommandLanes.sendStop",
        "overtaken == nil && effects.now",
        "effects.now",
    )],
    "law-6-a-write-from-a-balls-time-counts": [("StopRequest.awaitAnswer", "isClear, throughAt", "throughAt")],
    "law-6-an-unread-answer-confirms-a-stop": [(
        "StopRequest.isAnswered",
        "throughAt.map { receipt > $0 } ?? false",
        "throughAt != nil",
    )],
    "law-6-a-ball-that-has-ended-answers": [("AnswerBook.ballEnded", "ballMayHaveLeft(at: now)", "")],
    "law-6-an-overtaken-ball-answers-late": [(
        "CommandLanes.overtakenEnded",
        "answers.ballMayHaveLeft(at: now)",
        "",
    )],
    "law-6-the-program-befores-answer": [("AnswerBook.init", "ballMayHaveLeft(at: now)", "")],
    "law-7-no-disconnect": [("LinkStateMachine.callConnect", "cleanUp.close(target.device)", "")],
    "law-8-no-budget": [("LinkStateMachine.connect", "retries.nextConnect(at: now)", "now")],
    "law-9-two-timers": [("LinkEffects.setTimer", "cancelTimer(purpose)", "")],
    "law-9-cancelled-timer-fires": [(
        "LinkEffects.takeFired",
        "guard timers[timer.purpose]?.number == timer.number else { return false }",
        "",
    )],
    "law-9-scan-left-on": [(
        "LinkStateMachine.start",
        "cleanUp.scanBegins(on: discovering.adapter)",
        "",
    )],
    "law-10-scan-for-a-linked-machine": [(
        "LinkStateMachine.seek",
        "if recognised.device.isConnected",
        "if false",
    )],
    "law-10-connect-to-a-linked-machine": [(
        "LinkStateMachine.linkEpoch",
        "device.isConnected",
        "false",
    )],
    "law-11-answered-twice": [(
        "AnswerBook.settle",
        "let outcome = ball.outcome, !ball.isSettled",
        "let outcome = ball.outcome",
    )],
    "law-11-the-last-balls-answer": [(
        "AnswerBook.ballWritten",
        "Ball(id: id, writtenAt: now)",
        "Ball(id: id, writtenAt: now, answer: ball?.answer ?? .none)",
    )],
    "law-10-pinned-at-first-sight": [(
        "AdapterPin.note",
        "remembered == nil || remembered == adapter.address",
        "true",
    )],
    "law-11-a-ball-right-behind-a-stop": [("AnswerBook.earliestBall", "expectsAnswers", "false")],
    "law-11-a-slow-stops-answer": [(
        "CommandLanes.stopFinished",
        "answers.stopMayHaveLeft(at: effects.now)",
        "",
    )],
    "law-11-a-stops-answer-on-the-next-link": [(
        "CommandLanes.close",
        "answers.stopMayHaveLeft(at: effects.now)",
        "",
    )],
    "law-10-a-link-to-the-other-stack": [(
        "LinkStateMachine.levelsChanged",
        "if isOtherStack, let stack, let",
        "if false, let stack, let",
    )],
    "law-10-any-adapter": [(
        "LinkStateMachine.chooseAdapter",
        "pinned: pinned",
        "pinned: nil",
    )],
    "law-10-an-adapter-that-can-not-serve": [(
        "AdapterChoice.judge",
        "adapter.roles?.contains(\"central\") == false",
        "false",
    )],
    "law-10-a-uuid-is-enough": [(
        "LinkConfiguration.standing",
        "if hasKnownName, isTypical { return .certain }",
        "if isTypical { return .certain }",
    )],
    "law-10-every-link-is-ended": [(
        "LinkStateMachine.letGo",
        "if made.isWith(device) { cleanUp.close(device.path) } else { cleanUp.keepLink() }",
        "cleanUp.close(device.path)",
    )],
    "law-10-what-was-not-ended-is-ours": [(
        "MadeLink.finished",
        "case .disconnect, .removeDevice: isComing = false",
        "case .disconnect, .removeDevice: self = MadeLink(nil)",
    )],
    "law-13-scans-at-once-again": [(
        "LinkStateMachine.discover",
        "let instant = caution.nextScan(at: now)",
        "let instant = caution.nextScan(at: now), instant < now",
    )],
    "law-13-the-same-scan-again": [(
        "ScanCaution.form",
        "count(at: now) > 0, least.rawValue > usual.rawValue",
        "false",
    )],
    "law-13-never-later": [(
        "ScanCaution.nextScan",
        "min(count, Self.delays.count) - 1",
        "0",
    )],
    "law-10-the-next-link-is-ours-too": [(
        "MadeLink.note",
        "else if !isComing { self = MadeLink(nil) }",
        "",
    )],
}


def report_of(name):
    """How the tests report the law that the mutant breaks, as a regular expression."""
    return f"law {name.split('-')[1]}:"
