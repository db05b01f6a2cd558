/** The maximum distance. A name at a greater distance is a different name rather than a typo. */
const DISTANCE_MAX = 3;
/** The maximum total length of the compared names. A suggestion is not worth more time. */
const CHARACTERS_MAX = 250_000;

/**
 * Returns up to `count` names that are most similar to `requested`: a few typos apart ignoring letter case, or one
 * contained in the other.
 */
export function nearestNames(requestedName: string, names: readonly string[], count: number): readonly string[] {
  const name = requestedName.toLowerCase();
  const allowedDistance = Math.min(DISTANCE_MAX, Math.max(1, Math.floor(name.length / 3)));
  const matches: { readonly name: string; readonly distance: number }[] = [];
  let characters = 0;
  for (const candidate of names) {
    characters += candidate.length;
    if (characters > CHARACTERS_MAX) break;
    const distance = nameDistance(name, candidate.toLowerCase(), allowedDistance);
    if (distance !== null) matches.push({ name: candidate, distance });
  }
  // A stable sort keeps the list order of names at the same distance.
  return matches
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map((match) => match.name);
}

function nameDistance(requestedName: string, name: string, allowedDistance: number): number | null {
  if (requestedName === name) return 0;
  const slips = slipsBetween(requestedName, name, allowedDistance);
  if (slips !== null) return slips;
  const isPart =
    requestedName.length > 2 && name.length > 2 && (name.includes(requestedName) || requestedName.includes(name));
  return isPart ? DISTANCE_MAX + 1 : null;
}

/**
 * Returns how many characters must be added, removed, replaced or swapped with a neighbour; null if more than
 * `allowed`. Skips the common prefix and suffix and computes only the diagonal band of the table that can hold a
 * result.
 */
function slipsBetween(requestedName: string, name: string, allowedDistance: number): number | null {
  if (Math.abs(requestedName.length - name.length) > allowedDistance) return null;
  const [left, right] = withoutCommonEnds(requestedName, name);
  const farDistance = allowedDistance + 1;
  const row = () => new Uint16Array(right.length + 2).fill(farDistance);
  let [before, previous, currentRow] = [row(), row().map((_, index) => index), row()];
  for (let index = 1; index <= left.length; index += 1) {
    const [from, to] = [Math.max(1, index - allowedDistance), Math.min(right.length, index + allowedDistance)];
    currentRow[from - 1] = from === 1 ? index : farDistance;
    let least = from === 1 ? index : farDistance;
    for (let column = from; column <= to; column += 1) {
      const replacementCost = (previous[column - 1] as number) + (left[index - 1] === right[column - 1] ? 0 : 1);
      let slips = Math.min(replacementCost, (previous[column] as number) + 1, (currentRow[column - 1] as number) + 1);
      const isExchanged = column > 1 && left[index - 1] === right[column - 2] && left[index - 2] === right[column - 1];
      if (isExchanged) slips = Math.min(slips, (before[column - 2] as number) + 1);
      currentRow[column] = slips;
      least = Math.min(least, slips);
    }
    // Cells beside the band exceed the limit.
    currentRow[to + 1] = farDistance;
    // A swap refers back two rows, so a row that exceeds the limit by one does not end the search.
    if (least > farDistance) return null;
    [before, previous, currentRow] = [previous, currentRow, before];
  }
  const slips = previous[right.length] as number;
  return slips <= allowedDistance ? slips : null;
}

function withoutCommonEnds(left: string, right: string): readonly [string, string] {
  const lengthMin = Math.min(left.length, right.length);
  let start = 0;
  while (start < lengthMin && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < lengthMin - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)];
}
