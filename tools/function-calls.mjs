// Converts V8's precise coverage into calls of our functions. The functions are pure.

/**
 * Calls per function since coverage was taken last: a map of { file, line, name, calls } by function. `sourceOf(url, offset)` gives
 * { file, line }, or null for code of others. The code of a module itself, which runs when it is loaded, is no function.
 */
export function callsOf(scripts, sourceOf) {
  const calls = new Map();
  for (const { url, functions } of scripts) {
    for (const { functionName: name, ranges } of functions) {
      const [{ startOffset, count }] = ranges;
      const isModule = name === '' && startOffset === 0;
      if (count === 0 || isModule) continue;
      const source = sourceOf(url, startOffset);
      if (source !== null) calls.set(`${url} ${startOffset}`, { ...source, name, calls: count });
    }
  }
  return calls;
}

/**
 * Returns the files with the functions that ran in every interval with a write more often than in any interval without
 * one, sorted by file name, functions in the order of the file. The number of calls is the smallest that was measured,
 * less the calls that do not belong to the write.
 */
export function onlyOfWrites(writes, idles) {
  const files = new Map();
  const [first = new Map()] = writes;
  for (const [key, { file, line, name }] of first) {
    const least = Math.min(...writes.map((one) => one.get(key)?.calls ?? 0));
    const alone = Math.max(0, ...idles.map((one) => one.get(key)?.calls ?? 0));
    if (least <= alone) continue;
    const functions = files.get(file) ?? [];
    functions.push({ line, name, calls: least - alone });
    files.set(file, functions);
  }
  return [...files]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([file, functions]) => ({ file, functions: functions.sort((left, right) => left.line - right.line) }));
}
