"""The first load of the page, by a phone that has never seen it."""

import json
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from box import NAME, PORTS
from parts import LATER

# Not of the page itself: the box's news, and what the browser wants for its own screens.
OTHERS = re.compile(r"/events$|/api/|\.webmanifest$|manifest\.json$|favicon|icon[^/]*\.(svg|png)$")
# When the page has first heard of the box, in milliseconds since 1970.
HEARD = """
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    if (document.body.dataset.lost === "false") window.heard ??= performance.timeOrigin + performance.now();
  }).observe(document.body, {attributes: true}));"""


@dataclass
class Load:
    # The bytes of each answer with its headers, by path: before the state was shown, and after it.
    first: dict
    later: dict
    # Seconds from the request of the page to the first paint, and to the box's state.
    paint: float
    state: float

    def __str__(self):
        sizes = ", ".join(f"{path} {size}" for path, size in self.first.items())
        return (f"{len(self.first)} requests, {sum(self.first.values())} bytes ({sizes}); painted after {self.paint:.2f} s, "
                f"the state after {self.state:.2f} s; later {len(self.later)} requests, {sum(self.later.values())} bytes")


def load(driver, code=None, port=PORTS[0]):
    """Of a new browser; with a pairing code all that is loaded later, too, when a person opens each sheet."""
    phone = driver.phone(logs={"performance": "ALL"})
    try:
        phone.command("Page.addScriptToEvaluateOnNewDocument", source=HEARD)
        phone.open(f"http://{NAME}:{port}/" + (f"#pair={code}" if code else ""))
        phone.wait("window.heard", seconds=60)
        heard = phone.run("return window.heard")
        paint, begin = phone.run("""
          return [performance.getEntriesByName("first-contentful-paint")[0]?.startTime, performance.timeOrigin]""")
        if code:
            phone.wait("document.body.dataset.paired === 'true'", seconds=60)
            for button in LATER:
                phone.touch(button)
                phone.wait("document.querySelector('#sheet').checkVisibility()", seconds=30)
                phone.run("document.querySelector('#close').click()")
        first, later = answers(phone, heard)
    finally:
        phone.close()
    return Load(first, later, paint / 1000, (heard - begin) / 1000)


def answers(phone, heard):
    asked, first, later = {}, {}, {}
    for entry in phone.call("/se/log", {"type": "performance"}):
        event = json.loads(entry["message"])["message"]
        told = event["params"]
        if event["method"] == "Network.requestWillBeSent":
            asked[told["requestId"]] = urlsplit(told["request"]["url"]).path, told["wallTime"] * 1000
        elif event["method"] == "Network.loadingFinished" and told["requestId"] in asked:
            path, time = asked[told["requestId"]]
            if not OTHERS.search(path):
                (first if time < heard else later)[path] = told["encodedDataLength"]
    return first, later
