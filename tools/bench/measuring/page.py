"""What the phone's page costs, how fast its STOP is, and how soon it comes. tools/bench/page starts it."""

import argparse
import contextlib
import statistics
import sys
import threading
import time
from pathlib import Path

import cold
import wire
from box import Box
from browser import Driver
from slow import RATE, ROUND_TRIP, SlowLine

from .percentile import percentile
from .processes import Usage, memory
from .table import said, say

VIEWERS = 12
ROUNDS = 5
SECONDS = 10
SETTLE = 2
LOADS = 5
# From the finger on the glass to what the page shows, on the browser's own clock.
WATCH = """
  const body = document.body;
  window.times = [];
  let touched;
  addEventListener("pointerdown", event => touched = event.timeStamp, true);
  new MutationObserver(() => {
    if (touched === undefined || body.dataset.stopped !== "confirmed") return;
    times.push(performance.now() - touched);
    touched = undefined;
  }).observe(body, {attributes: true, attributeFilter: ["data-stopped"]});"""


def main():
    parser = argparse.ArgumentParser(prog="tools/bench/page")
    for path in ("programs", "table"):
        parser.add_argument(f"--{path}", type=Path)
    parser.add_argument("--touches", type=int, default=200)
    options = parser.parse_args()
    with Box(options.programs) as box:
        box.see_player()
        box.show()
        cost, size = viewers(box)
        with Driver() as driver:
            times, own = touches(box, driver, options.touches)
            loads = cold_loads(driver)
    lines = table(times, own, cost, size, loads)
    print("\n".join(lines))
    if options.table:
        options.table.write_text("\n".join(lines) + "\n")
    return 1 if any(line.endswith("NO |") for line in lines) else 0


def touches(box, driver, count):
    """Seconds, of each touch while a countdown runs; and in turn with it those of a request without a browser, from
    its first byte to the last one of its answer."""
    own = []
    phone = driver.phone()
    phone.open(box.pair_phone()[0])
    phone.wait("document.body.dataset.paired === 'true'")
    phone.run(WATCH)
    for number in range(count):
        box.reach("countdown")
        own.append(request())
        box.reach("countdown")
        phone.wait("document.body.dataset.safety === 'countdown'")
        phone.touch("#stop")
        phone.wait("window.times.length > arguments[0]", number)
        if number % 50 == 49:
            say(f"{number + 1} touches")
    return [milliseconds / 1000 for milliseconds in phone.run("return window.times")], own


def request():
    with wire.connect("127.0.0.1") as connection:
        began = time.perf_counter()
        connection.sendall(wire.written("POST", "/stop"))
        answer = wire.read(connection)
        seconds = time.perf_counter() - began
    assert answer.json["outcome"] == "confirmed", answer
    return seconds


def cold_loads(driver):
    """Of new browsers over a slow line."""
    loads = []
    for _ in range(LOADS):
        with SlowLine() as line:
            loads.append(cold.load(driver, port=line.port))
        say(f"first load: {loads[-1]}")
    return loads


def viewers(box):
    """What viewers add to serve's share of a processor, and to the page's memory, in turn with none."""
    idle = memory(box.web.identifier)["own"]
    costs, sizes = [], []
    for number in range(ROUNDS):
        without, _ = resting(box, 0)
        beside, size = resting(box, VIEWERS)
        costs.append(beside - without)
        sizes.append(size - idle)
        say(f"round {number + 1}: serve {without:.3%}, with viewers {beside:.3%}; web {size // 1024} KB")
    return statistics.median(costs), max(sizes)


def resting(box, count):
    ending = threading.Event()
    readers = []
    with contextlib.ExitStack() as stack:
        for number in range(count):
            stream = stack.enter_context(wire.Stream(f"127.0.3.{number + 1}"))
            readers.append(threading.Thread(target=read, args=(stream, ending)))
            readers[-1].start()
        time.sleep(SETTLE)
        before = Usage(box.service.identifier)
        time.sleep(SECONDS)
        share = Usage(box.service.identifier).since(before)["processor"]
        size = memory(box.web.identifier)["own"]
        ending.set()
        for reader in readers:
            reader.join()
    time.sleep(SETTLE)
    return share, size


def read(stream, ending):
    while not ending.is_set():
        for _ in stream.events(0.5):
            pass


def table(times, own, cost, size, loads):
    half, most = (percentile(times, percent) * 1000 for percent in (50, 99))
    own_half, own_most = (percentile(own, percent) * 1000 for percent in (50, 99))
    paint, state = (statistics.median(getattr(load, name) for load in loads) for name in ("paint", "state"))
    line = f"{ROUND_TRIP * 1000:.0f} ms, {RATE * 8 // 1000} kbit/s"
    return [
        "| measure | value | must reach | reached |",
        "| --- | --: | --- | --- |",
        f"| from a touch on STOP to `confirmed`, p50 of {len(times)} | {half:.0f} ms |  |  |",
        f"| the same, p99 | {most:.0f} ms | ≤ 100 ms | {said(most <= 100)} |",
        "| of that the box, from a request's first byte to its answer's last one, and in it 40 ms of the mock machine, "
        f"p50 | {own_half:.0f} ms |  |  |",
        f"| the same, p99 | {own_most:.0f} ms |  |  |",
        f"| first load over a slow line ({line}) to the first paint | {paint:.1f} s | ≤ 2 s | {said(paint <= 2)} |",
        f"| the same, to what the box says | {state:.1f} s |  |  |",
        f"| what {VIEWERS} viewers cost `serve` | {cost:.2%} of a processor | ≤ 0.3 % | {said(cost <= 0.003)} |",
        f"| memory of `ballmachine-web` with them, beyond idle | {size / 1e6:.1f} MB | ≤ 3 MB "
        f"| {said(size <= 3e6)} |",
    ]


if __name__ == "__main__":
    sys.exit(main())
