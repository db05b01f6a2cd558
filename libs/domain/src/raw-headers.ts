/** Returns every value of a header, by its name in lower case. Node's `rawHeaders` alternate names and values, repeated ones included. */
export function headerValues(name: string, rawHeaders: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] as string;
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  }
  return values;
}
