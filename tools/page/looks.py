"""What is to be seen of a state of the page: where its parts are, and what axe-core finds wrong."""

import os
from pathlib import Path

from parts import FIGURE, READ, STAYING

# Where each part is, in pixels; null where there is none.
MEASURE = """
  const [staying, figure] = arguments, find = selector => document.querySelector(selector);
  const places = staying.map(selector => {
    const found = find(selector), r = found?.getBoundingClientRect();
    return [selector, found && getComputedStyle(found).display !== "none" ? [r.x, r.y, r.width, r.height] : null];
  });
  const shown = find(figure)?.checkVisibility({visibilityProperty: true});
  return {places: Object.fromEntries(places), figure: shown ? parseFloat(getComputedStyle(find(figure)).fontSize) : 0}"""
# All rules, but for contrast as WCAG's level AAA has it, which is for what is read on court. What it can't tell
# of the latter, a person would have to: that is a finding, too.
AXE = """
  const read = arguments[0].filter(selector => document.querySelector(selector)?.checkVisibility());
  const told = (found, why) => found.flatMap(({id, nodes}) => nodes.map(node =>
    `${id}${why}: ${node.html.slice(0, 120)}: ${[...node.any, ...node.all, ...node.none].map(each => each.message).join(" ")}`));
  const enhanced = {type: "rule", values: ["color-contrast-enhanced"]}, plain = {preload: false, resultTypes: ["violations"]};
  return axe.run(document, plain).then(all => axe.run({include: read}, {preload: false, runOnly: enhanced}).then(contrast =>
    [...told(all.violations, ""), ...told(contrast.violations, ""), ...told(contrast.incomplete, " can't be told")]))"""


def set_look(phone, size, scheme):
    width, height = size
    phone.resize(width, height)
    phone.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    # The window follows a moment later, and the page's own scripts follow the window.
    phone.wait("innerWidth === arguments[0] && innerHeight === arguments[1]", width, height)
    phone.run("return new Promise(act => requestAnimationFrame(() => requestAnimationFrame(() => act())))")


def measure(phone):
    """`places` of what stays, and the pixels of the `figure`, 0 where none is shown."""
    return phone.run(MEASURE, STAYING, FIGURE)


def findings(phone):
    """What axe-core finds, a line each."""
    if not phone.run("return !!window.axe"):
        phone.run(Path(os.environ["BALLMACHINE_AXE"]).read_text() + "\nwindow.axe = axe;")
    return phone.run(AXE, READ)
