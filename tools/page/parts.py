"""The CSS selectors of the page's parts, for all tests and pictures of the page."""

from box import NAME, PORTS

PAGE = f"http://{NAME}:{PORTS[0]}/"
SIZES = [(320, 568), (390, 844), (844, 390), (1280, 800)]
SCHEMES = ["light", "dark"]
# These never move, but that a sheet may cover all but the first.
STAYING = ["#stop", "#hero", "#court", "#actions"]
# For people who stand at the baseline: in these states, at this width, it is at least so many pixels high.
FIGURE = "#figure"
FIGURE_STATES = ["countdown", "live", "live-drill"]
FIGURE_HEIGHT = {320: 64, 390: 64, 844: 64, 1280: 120}
# What is read on court.
READ = ["#hero", "#safety", "#reason", "#actions", "#alert", "#stop"]
# What a state's words are in.
SAID = ["#safety", "#reason", "#link", "#alert"]
# The button of a sheet, and what is there once the sheet is complete.
SHEETS = {
    "start": ("#arm", "#hold"),
    "drills": ("#drill", "[data-name=two-corners]"),
    "sessions": ("#sessions", "#content .session"),
    "pairing": ("#pair", "#digits"),
    "more": ("#more", "#content .segment"),
    "cameras": ("#camera", "#calibrate"),
}
# What is there once the calibration, over the sheet of the cameras, has its picture.
CALIBRATION = "#calibration image"
# The buttons of sheets that a paired phone opens after the first load.
LATER = ["#drill", "#sessions", "#camera", "#arm"]
# One session, over the sheet of the sessions.
SESSION = "#content .four"
# A command by hand, in words.
BY_HAND = "Balls by hand"
