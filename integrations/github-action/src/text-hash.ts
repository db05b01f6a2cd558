import { createHash } from 'node:crypto';

/** When a program last read what is deleted. Programs read while the pull request is open. */
const LAST_READS = / \(last read by [^\n]* at \d{4}-\d\d-\d\dT\d\d:\d\dZ\)(?=\n|$)/g;

/** Hashes of plans differ by account. The text of a plan does not, if both accounts have the same access. */
export const textHash = (text: string): string =>
  `text:${createHash('sha256').update(text.replace(LAST_READS, '')).digest('hex')}`;

export const isTextHash = (hash: string): boolean => hash.startsWith('text:');
