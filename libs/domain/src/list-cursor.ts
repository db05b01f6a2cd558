import { checkDigits } from './check-digits.ts';

/** The sort key of one row in the default order of its list. The last part is the row's id, so that keys are unique. */
export type ListKey = readonly (string | null)[];

/** The position in a list directly after the row that had this key, even if that row has been deleted since. */
export interface ListPosition {
  /** Identifies the list; see `isListOf`. */
  readonly list: string;
  readonly key: ListKey;
}

/**
 * `l1` is the version of the format. The list, the key as JSON in base64url, and the check digits of everything follow.
 */
const FORM = /^(l1\.([0-9a-f]{8})\.([\w-]+))\.([0-9a-f]{8})$/;
/** Long enough for an id and a name of 1,000 characters of four bytes each. */
const LENGTH_MAX = 16_000;
const KEY_PARTS_MAX = 8;

/**
 * Returns the cursor that clients send to continue after a row. `path` is the path of the list's collection, with or
 * without `/api/v1/` and a query (`projects/<id>/parameters/`). The check digits detect a truncated or mistyped cursor.
 * They are not a signature, and a made-up cursor reveals nothing.
 */
export function encodeListCursor(path: string, key: ListKey): string {
  const body = `l1.${hashListPath(path)}.${inBase64Url(JSON.stringify(key))}`;
  return `${body}.${checkDigits(body)}`;
}

/** Returns the position, or null for a text that `encodeListCursor` did not write. */
export function decodeListCursor(text: string): ListPosition | null {
  const match = text.length <= LENGTH_MAX ? FORM.exec(text) : null;
  if (match === null) return null;
  const [, body = '', list = '', encoded = '', check] = match;
  if (checkDigits(body) !== check) return null;
  const key = keyIn(encoded);
  return key && { list, key };
}

/** Returns whether a position belongs to the list at a path. */
export function isListOf({ list }: ListPosition, path: string): boolean {
  return list === hashListPath(path);
}

/** Uses only functions that browsers have, because the console uses this library. */
function inBase64Url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(encoded: string): string {
  const bytes = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

function keyIn(encoded: string): ListKey | null {
  try {
    const key: unknown = JSON.parse(fromBase64Url(encoded));
    if (!Array.isArray(key) || key.length === 0 || key.length > KEY_PARTS_MAX) return null;
    return key.every((part) => part === null || typeof part === 'string') ? key : null;
  } catch {
    return null;
  }
}

/** Hashes the path, because the paths of some lists are long and every cursor of a page contains it. */
function hashListPath(path: string): string {
  const [pathname = ''] = path.split('?');
  const relativePath = pathname.replace(/^.*\/api\/v1\//, '').replace(/^\/|\/$/g, '');
  return checkDigits(relativePath.toLowerCase());
}
