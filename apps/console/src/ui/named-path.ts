// Browsers resolve a `.` or `..` between slashes as a parent path, even if the dots are escaped, so objects with such names would
// have no address. Their names get a tilde in front, and names that already look like that get another one.

const escaped = (name: string): string => (/^~*\.{1,2}$/.test(name) ? `~${name}` : name);
const unescaped = (part: string): string => (/^~+\.{1,2}$/.test(part) ? part.slice(1) : part);

const each = <Names extends Readonly<Record<string, string>>>(names: Names, change: (text: string) => string): Names =>
  Object.fromEntries(Object.entries(names).map(([of, name]) => [of, change(name)])) as Names;

/** Encodes the user-defined names in the address of a route. */
export const namedPath = <Of extends string>() => ({
  params: {
    parse: (names: Record<Of, string>) => each(names, unescaped),
    stringify: (names: Record<Of, string>) => each(names, escaped),
  },
});
