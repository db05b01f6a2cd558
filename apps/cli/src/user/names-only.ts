/** Members that identify objects by ids and links, which the command line never shows. */
const IDENTIFIES = /^(id|url|cursor|next|previous|etag)$|_(id|ids|url)$/;

/** Returns a response without ids and links. */
export function namesOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namesOnly);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, member]) => !(IDENTIFIES.test(name) && (member === null || typeof member === 'string')) && !isLink(member),
  );
  return Object.fromEntries(entries.map(([name, member]) => [name, namesOnly(member)]));
}

const isLink = (member: unknown): boolean => typeof member === 'string' && /^https?:\/\/[^/]+\/api\/v1\//.test(member);
