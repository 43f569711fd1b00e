// STOPs without an answer: for which box, and since when, until it answers or a person lets go of one.

const key = "unanswered";

/// Asks nobody and shows nothing. Times are the wall clock's, in milliseconds: they outlast the page.
export class Unanswered {
  /// Whether they outlast the page, and other tabs know them. Browsers may keep nothing.
  isKept = true;
  stops = {};

  /// `storage()` may fail.
  constructor(storage) { this.storage = storage; }

  press(id, at, box) { this.change(id, { at, box }); }

  /// What was answered doesn't settle a later press.
  settle(id, at = Infinity) {
    if (!(this.all()[id]?.at > at)) this.change(id);
  }

  at(id) { return this.all()[id]?.at; }

  /// `pending`, `noAnswer` after 2.5 s, `late` after 10 minutes: it may surprise people then. Without one, nothing.
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
