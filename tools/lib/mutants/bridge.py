"""Mutants of the whole bridge."""

TESTS = "BridgeLawTests"

# NAME: how the tests report it, as a regular expression, and [(PLACE, OLD, NEW)...]
MUTANTS = {
    "limits-are-not-checked-again": ("a ball outside the machine's limits", [(
        "BridgeMachine.launch",
        "try limits.check(command)",
        "try MachineLimits(encoding).check(command)",
    )]),
    "a-debt-is-recorded-after-the-ball": ("a ball before it is recorded", [(
        "BridgeMachine.launch",
        """
        keepDebt()
        stops.last = nil""",
        "stops.last = nil",
    )]),
    "decides-on-the-way-out": ("a ball after the end", [(
        "BridgeMachine.nextQuestion",
        "safety.isFeeding && !isOnTheWayOut ?",
        "safety.isFeeding ?",
    )]),
    "a-client-goes-unnoticed": ("a ball after its client has gone", [(
        "BridgeMachine.handle",
        "safety.clientGone(client, at: now)",
        "_ = client",
    )]),
    "confirmed-by-the-machine-before": ("a stop is confirmed that the machine does not have", [(
        "BridgeMachine.note",
        """
        stops.last = nil
        safety.machineChanged(at: now)""",
        "safety.machineChanged(at: now)",
    )]),
    "another-machine-goes-unnoticed": ("a (ball|stop)", [(
        "BridgeMachine.note",
        """
        stops.last = nil
        safety.machineChanged(at: now)""",
        "break",
    )]),
    "late-stops-are-not-answered": ("a stop without a reply for 6 s", [(
        "BridgeMachine.stopUnsettled",
        "for caller in stops.takeExpired(at: now) { reply(known, to: caller) }",
        "_ = stops.takeExpired(at: now)",
    )]),
    "no-rest": ("a ball in a rest", [(
        "BridgeMachine.endSet",
        "safety.rest(for: rest, at: now)",
        "_ = rest",
    )]),
    "a-drill-without-an-end": ("a ball while not armed", [(
        "BridgeMachine.endSet",
        "safety.drillEnded(at: now)",
        "_ = rest",
    )]),
    "a-detector-in-doubt": ("a ball at a detector in doubt", [(
        "BridgeMachine.positionsGave",
        "doubt: judgement.doubt",
        "doubt: nil",
    )]),
    "winding-down-without-an-end": ("an end that is missing", [(
        "BridgeMachine.landed",
        """
        proceed()
        giveUpIfThrough()""",
        "proceed()",
    )]),
    "no-last-stop": ("an? (end without the stop command|request without a reply)", [(
        "BridgeMachine.close",
        "if owesStop { act(.writeLastStop) }",
        "_ = owesStop",
    )]),
    "an-overtaken-request-is-accepted": ("a request is accepted that a stop has overtaken", [(
        "BridgeMachine.perform",
        "if let objection { throw objection }",
        "",
    )]),
    "changes-of-state-are-not-published": ("a change of state that is not published", [(
        "BridgeMachine.report",
        "reportSafety()",
        "if actions.isEmpty { reportSafety() }",
    )]),
    "refusals-are-not-counted": ("a ball after three commands", [(
        "BridgeMachine.landed",
        "wasTaken: expectsAnswer && outcome.isWritten ? nil : outcome.wasTaken",
        "wasTaken: nil",
    )]),
}
