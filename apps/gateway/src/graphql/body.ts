/**
 * What of an input goes to the core: members that were left out are left out there too. A null means "nothing" where
 * the core knows that (`nullable`), and "leave it" elsewhere, since GraphQL cannot forbid a client to write it.
 */
export function bodyOf(
  fields: Readonly<Record<string, unknown>>,
  nullable: readonly string[] = [],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && (value !== null || nullable.includes(name)),
    ),
  );
}

/** One path segment; ids come from clients. */
export function segment(id: string): string {
  return encodeURIComponent(id);
}
