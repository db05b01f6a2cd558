// Browsers resolve `.` and `..` between slashes as relative path segments, even if the dots are percent-encoded. Objects with such names
// would have no URL, so a tilde is added in front of these names, and of names that already consist of tildes and dots.

const escaped = (name: string): string => (/^~*\.{1,2}$/.test(name) ? `~${name}` : name);
const unescaped = (part: string): string => (/^~+\.{1,2}$/.test(part) ? part.slice(1) : part);

const mapNames = <Names extends Readonly<Record<string, string>>>(
  names: Names,
  change: (text: string) => string,
): Names => Object.fromEntries(Object.entries(names).map(([key, name]) => [key, change(name)])) as Names;

/** Returns the encoding of user-defined names in the path of a route. */
export const namedPath = <Of extends string>() => ({
  params: {
    parse: (names: Record<Of, string>) => mapNames(names, unescaped),
    stringify: (names: Record<Of, string>) => mapNames(names, escaped),
  },
});
