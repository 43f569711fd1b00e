// The camera's picture: rings on it, the court's lines over it, and a loupe, since a finger covers what
// it aims at.

import { draw, make } from "./sheet.js";
import { markNames } from "./calibrateMarks.js";
import { markText } from "./calibrateWords.js";

export const circle = (r, given) => draw("circle", { r, ...given });
const hide = (node, hidden) => node.toggleAttribute("hidden", hidden);
const arrows = { ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowRight: [1, 0] };
/// On the screen: a drag that begins this near to the current ring, or a tap this near to another one,
/// means the ring; one that moves less is a tap.
const reach = 30, tapped = 20, slip = 4;
/// How much of a finger's way the ring goes when the finger isn't on it.
const fine = 0.4;

/// In the drawing's coordinates.
export function inside(svg, { clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [x, y];
}

/// Puts a drawing's part where it belongs; without a place it isn't shown.
export function setAt(part, at, scale = 1) {
  hide(part, !at);
  if (at) part.setAttribute("transform", `translate(${at}) scale(${scale})`);
}

/// `acts`: `put(at)` moves the current ring, `pick(name)` goes to another one, `tap(at)` is any other
/// touch of the picture; all in its pixels.
export function cameraPicture(label, acts) {
  let size = [1280, 720], points = {}, current = null, drag = null;
  const rings = markNames.map(name => {
    const ring = draw("g", {
      class: "mark", "data-mark": name, role: "button", tabindex: 0, "aria-label": markText(name), hidden: "",
    }, circle(22), circle(11), circle(2.5));
    ring.onkeydown = event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      acts.pick(name);
    };
    return ring;
  });
  const still = draw("image", { id: "still" }), court = draw("path"), aim = draw("path");
  const spot = draw("path", { class: "spot", d: "M-16 0H-4M4 0H16M0-16V-4M0 4V16" });
  aim.setAttribute("d", "M-60 0H-7M7 0H60M0-60V-7M0 7V60");
  const svg = draw("svg", { role: "group", "aria-label": label, viewBox: `0 0 ${size}` }, still, court, spot, ...rings);
  const loupe = draw("svg", { class: "loupe", hidden: "" }, draw("use", { href: "#still" }), aim);
  const frame = make("div", { class: "frame" }, svg, loupe);

  /// Pixels of the picture for one of the screen.
  const scale = () => 1 / (svg.getScreenCTM()?.a || 1);
  const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]) / scale();
  const within = to => to.map((value, side) => Math.min(Math.max(value, 0), size[side]));
  const move = (by, from = points[current]) => acts.put(within(from.map((value, side) => value + by[side])));

  svg.onpointerdown = event => {
    const from = inside(svg, event), start = current && points[current];
    drag = { from, start, gain: start && distance(from, start) < reach ? 1 : fine };
    svg.setPointerCapture(event.pointerId);
  };
  svg.onpointermove = event => {
    if (!drag) return;
    drag.to = inside(svg, event);
    drag.moves ||= distance(drag.to, drag.from) > slip;
    if (drag.moves && drag.start) {
      move(drag.to.map((value, side) => (value - drag.from[side]) * drag.gain), drag.start);
    }
  };
  svg.onpointerup = () => {
    if (drag && !drag.moves) touch(drag.from);
    drag = null;
  };
  svg.onpointercancel = () => drag = null;
  // What is on top isn't always the nearest.
  svg.onmousedown = event => event.preventDefault();

  function touch(at) {
    const far = name => distance(points[name], at);
    const name = Object.keys(points).filter(name => far(name) < tapped)
      .sort((one, other) => far(one) - far(other))[0];
    if (name && name !== current) acts.pick(name);
    else acts.tap(within(at));
  }

  /// Whether the key has moved the ring.
  function press(event) {
    const step = arrows[event.key];
    if (!step || !current) return;
    event.preventDefault();
    move(step.map(value => value * (event.shiftKey ? 10 : 1)));
  }

  /// The loupe stays in a corner that is far from the ring and from the finger.
  function placeLoupe() {
    const box = frame.getBoundingClientRect(), zoomed = size[0] / 20, half = zoomed / 2;
    const used = [points[current], drag?.to].filter(Boolean)
      .map(at => new DOMPoint(...at).matrixTransform(svg.getScreenCTM()));
    const clear = (right, low) => Math.min(...used.map(({ x, y }) => Math.hypot(
      x - (right ? box.right : box.left), y - (low ? box.bottom : box.top))));
    const now = [loupe.classList.contains("right"), loupe.classList.contains("low")];
    const free = 1.3 * loupe.getBoundingClientRect().width, opposite = points[current][0] < size[0] / 2;
    // It hides the sky rather than the court, and doesn't jump below a finger without need.
    const corners = [[opposite, false], [!opposite, false], [opposite, true], [!opposite, true]];
    const [right, low] = (drag ? [now, ...corners] : corners).find(corner => clear(...corner) > free) ?? now;
    loupe.classList.toggle("right", right);
    loupe.classList.toggle("low", low);
    loupe.setAttribute("viewBox", `${points[current].map(value => value - half)} ${zoomed} ${zoomed}`);
    setAt(aim, points[current], zoomed / 130);
  }

  return {
    frame,
    press,
    load(href, to) {
      size = to;
      svg.setAttribute("viewBox", `0 0 ${size}`);
      still.setAttribute("href", href);
      frame.style.aspectRatio = size.join("/");
    },
    focus: () => rings[markNames.indexOf(current)]?.focus({ preventScroll: true }),
    /// `shown`: where marks are; `name`: the one that is asked for, if any; `lines`: the court's, as a
    /// path; `tapped`: a place to show.
    show(shown, name, lines, tapped) {
      points = shown;
      current = name;
      for (const ring of rings) {
        const mark = ring.dataset.mark;
        setAt(ring, points[mark], scale() * (mark === current ? 1 : 0.45));
        ring.classList.toggle("current", mark === current);
      }
      court.setAttribute("d", lines);
      setAt(spot, tapped, scale());
      hide(loupe, !current);
      if (current) placeLoupe();
    },
  };
}
