// Where a camera's picture shows the court's ground, and back.

/// Solves equations as well as possible; their right side is last.
function solve(rows) {
  const width = rows[0].length;
  const sums = [...Array(width - 1).keys()].map(i => rows[0].map((_, j) =>
    rows.reduce((sum, row) => sum + row[i] * row[j], 0)));
  // These are symmetric and positive, and need no search for pivots.
  sums.forEach((pivot, column) => sums.forEach((row, index) => {
    const factor = index === column ? 0 : row[column] / pivot[column];
    pivot.forEach((value, at) => row[at] -= factor * value);
  }));
  return sums.map((row, index) => row[width - 1] / row[index]);
}

/// The mapping that fits points best: `from` on the court, `to` in the picture.
/// `lens`: see ballmachine.yaml(5).
export function fit(points, [width, height], lens) {
  const unit = Math.hypot(width, height) / 2;
  // Numbers near 1. Every camera sees the net's middle: the origin.
  const ground = (x, y) => [x / 10 - 0.4115, y / 10, 1];
  const straight = (u, v) => {
    const p = (u - width / 2) / unit, q = (v - height / 2) / unit, scale = 1 + lens * (p * p + q * q);
    return [p / scale, q / scale, 1];
  };
  const image = place => rows.map(row => row.reduce((sum, value, index) => sum + value * place[index], 0));
  let rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  // The first round counts far points too much: its depths mend that.
  for (let round = 0; round < 2; round++) {
    const found = solve(points.flatMap(({ from, to, weight }) => {
      const at = ground(...from), [p, q] = straight(...to), depth = Math.max(image(at)[2], 0.05);
      return [[...at, 0, 0, 0, -p * at[0], -p * at[1], p], [0, 0, 0, ...at, -q * at[0], -q * at[1], q]]
        .map(row => row.map(value => value * weight / depth));
    }));
    rows = [found.slice(0, 3), found.slice(3, 6), [...found.slice(6), 1]];
  }
  return {
    /// Null where it isn't seen.
    picture(x, y) {
      const [a, b, depth] = image(ground(x, y)), p = a / depth, q = b / depth;
      const root = 1 - 4 * lens * (p * p + q * q), scale = unit * 2 / (1 + Math.sqrt(root));
      return depth > 0 && root > 0 ? [width / 2 + p * scale, height / 2 + q * scale] : null;
    },
    /// Null in the sky.
    court(u, v) {
      const at = straight(u, v), [x, y, depth] = solve(rows.map((row, index) => [...row, at[index]]));
      return depth > 0 ? [10 * x / depth + 4.115, 10 * y / depth] : null;
    },
  };
}
