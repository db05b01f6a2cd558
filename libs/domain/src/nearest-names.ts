/** A name that is further away than this is another name and not a slip. */
const DISTANCE_MAX = 3;
/** Comparing more names than this would take longer than the answer is worth. */
const NAMES_MAX = 10_000;

/** The names that look most like one, at most `count`: letter case aside, a few slips apart, or one part of the other. */
export function nearestNames(wanted: string, names: readonly string[], count: number): readonly string[] {
  const name = wanted.toLowerCase();
  const allowed = Math.min(DISTANCE_MAX, Math.max(1, Math.floor(name.length / 3)));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const each of names.slice(0, NAMES_MAX)) {
    const distance = distanceOf(name, each.toLowerCase(), allowed);
    if (distance !== null) found.push({ name: each, distance });
  }
  // a stable sort keeps the order of the list among equals
  return found
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map((each) => each.name);
}

function distanceOf(wanted: string, name: string, allowed: number): number | null {
  if (wanted === name) return 0;
  const slips = slipsBetween(wanted, name, allowed);
  if (slips !== null) return slips;
  const isPart = wanted.length > 2 && name.length > 2 && (name.includes(wanted) || wanted.includes(name));
  return isPart ? DISTANCE_MAX + 1 : null;
}

/**
 * How many characters must be added, taken away, replaced or exchanged with their neighbour; null when more than `allowed`. Only the
 * diagonal band of that width is walked, so that it costs what a look at the name costs.
 */
function slipsBetween(left: string, right: string, allowed: number): number | null {
  if (Math.abs(left.length - right.length) > allowed) return null;
  const far = allowed + 1;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current: number[] = new Array<number>(right.length + 1).fill(far);
    if (row <= allowed) current[0] = row;
    const [from, to] = [Math.max(1, row - allowed), Math.min(right.length, row + allowed)];
    let least = current[0] ?? far;
    for (let column = from; column <= to; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let slips = Math.min(
        (previous[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1,
        (previous[column - 1] ?? far) + (isSame ? 0 : 1),
      );
      const isExchanged = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isExchanged) slips = Math.min(slips, (before[column - 2] ?? far) + 1);
      current[column] = slips;
      least = Math.min(least, slips);
    }
    // an exchange reaches two rows back, so that one bad row alone decides nothing
    if (least > allowed + 1) return null;
    [before, previous] = [previous, current];
  }
  const slips = previous[right.length] ?? far;
  return slips <= allowed ? slips : null;
}
