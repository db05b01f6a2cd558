// Converts V8's precise coverage into calls of our functions. All functions here are pure.

/**
 * Returns the calls per function since the last coverage: a map of { file, line, name, calls }. `sourceOf(url, offset)`
 * returns { file, line }, or null for code that is not ours. Code at the top level of a module, which runs when it is
 * loaded, is not counted.
 */
export function countCalls(scripts, sourceOf) {
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
 * one. Files are sorted by name, and functions by their position in the file. The number of calls is the smallest one
 * measured, minus the calls that are not caused by the write.
 */
export function onlyOfWrites(writes, idles) {
  const files = new Map();
  const [first = new Map()] = writes;
  for (const [key, { file, line, name }] of first) {
    const least = Math.min(...writes.map((counts) => counts.get(key)?.calls ?? 0));
    const alone = Math.max(0, ...idles.map((counts) => counts.get(key)?.calls ?? 0));
    if (least <= alone) continue;
    const functions = files.get(file) ?? [];
    functions.push({ line, name, calls: least - alone });
    files.set(file, functions);
  }
  return [...files]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([file, functions]) => ({ file, functions: functions.sort((left, right) => left.line - right.line) }));
}
