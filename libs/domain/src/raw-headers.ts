/** Returns every value of a header, by its name in lower case. Node's `rawHeaders` alternate names and values, repeated ones included. */
export function headerValues(name: string, rawHeaders: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] as string);
  }
  return values;
}
