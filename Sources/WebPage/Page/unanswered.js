// The STOPs that wait for an answer, by box: each until the box answers, or a person dismisses it.

const key = "unanswered";

/// Only keeps them: `stop.js` asks the box and shows them. Times are in milliseconds since 1970, so that they
/// are still right after the page was loaded again.
export class Unanswered {
  /// Whether the browser stores them, for other tabs and the next load of the page.
  isKept = true;
  stops = {};

  /// `storage()` may fail.
  constructor(storage) { this.storage = storage; }

  press(id, at, box) { this.change(id, { at, box }); }

  /// An answer settles only what was pressed before it.
  settle(id, at = Infinity) {
    if (!(this.all()[id]?.at > at)) this.change(id);
  }

  at(id) { return this.all()[id]?.at; }

  /// `pending`, after 2.5 s `noAnswer`, after 10 minutes `late`: then a person is asked first. Undefined without a stop.
  state(id, now) {
    const stop = this.all()[id], age = Math.abs(now - stop?.at);
    return stop && (age < 2500 ? "pending" : age < 600000 ? "noAnswer" : "late");
  }

  /// One for another box.
  other(id) {
    const [found, stop] = Object.entries(this.all()).find(([each]) => each !== id) ?? [];
    return stop && { id: found, ...stop };
  }

  /// Read each time: another tab may have had the answer.
  all() {
    try {
      if (this.isKept) this.stops = { ...JSON.parse(this.storage().getItem(key)) };
    } catch {
      this.isKept = false;
    }
    return this.stops;
  }

  change(id, stop) {
    const { [id]: _, ...rest } = this.all();
    this.stops = stop ? { ...rest, [id]: stop } : rest;
    try {
      this.storage().setItem(key, JSON.stringify(this.stops));
    } catch {
      this.isKept = false;
    }
  }
}
