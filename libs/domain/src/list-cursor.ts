import { checkDigits } from './check-digits.ts';

/** What places one row in the default order of its list; the last part is the row's own id, so that no two are equal. */
export type ListKey = readonly (string | null)[];

/** A place in a list, just after the row that had this key, whether that row is still there or not. */
export interface ListPosition {
  /** Which list; see `isListOf`. */
  readonly list: string;
  readonly key: ListKey;
}

/** `l1` is the version of the form; then the list, the key as JSON in base64url, and check digits of all of it. */
const FORM = /^(l1\.([0-9a-f]{8})\.([\w-]+))\.([0-9a-f]{8})$/;
/** A name of 1,000 characters of four bytes each, and its id, fit. */
const LENGTH_MAX = 16_000;
const KEY_PARTS_MAX = 8;

/**
 * The text that clients hand back to go on after a row. `path` names the list: the path of its collection, with or
 * without `/api/v1/` and a query (`projects/<id>/parameters/`). The check digits catch a cursor that was cut or
 * mistyped; they are no signature, and nobody may see more by inventing one.
 */
export function encodeListCursor(path: string, key: ListKey): string {
  const body = `l1.${listOf(path)}.${inBase64Url(JSON.stringify(key))}`;
  return `${body}.${checkDigits(body)}`;
}

/** The position, or null for anything that `encodeListCursor` did not write. */
export function decodeListCursor(text: string): ListPosition | null {
  const match = text.length <= LENGTH_MAX ? FORM.exec(text) : null;
  if (match === null) return null;
  const [, body = '', list = '', encoded = '', check] = match;
  if (checkDigits(body) !== check) return null;
  const key = keyIn(encoded);
  return key && { list, key };
}

/** Whether a position is one of the list at a path. */
export function isListOf({ list }: ListPosition, path: string): boolean {
  return list === listOf(path);
}

/** By what browsers have too: the console reads this library. */
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

/** Short, because it stands in every cursor of a page, and the paths of some lists are long. */
function listOf(path: string): string {
  const [whole = ''] = path.split('?');
  const below = whole.replace(/^.*\/api\/v1\//, '').replace(/^\/|\/$/g, '');
  return checkDigits(below.toLowerCase());
}
