import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { SecretStore } from './file-formats.ts';

/** A name with the node of its value, in the export of a secret store. */
export interface ExportedEntry {
  /** The offset of the name in the document. */
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
  /** Why the value cannot be imported. */
  readonly problem?: string;
}

/** Returns the names and values in the export of a secret store; null if the document is only a map of names and values. */
export function exportedEntries(top: Node, store: SecretStore): readonly ExportedEntry[] | null {
  if (store === 'Infisical') return isSeq(top) ? top.items.filter((item) => isMap(item)).flatMap(ofInfisical) : null;
  if (store === 'Doppler') return isMap(top) ? ofDoppler(top) : null;
  if (isMap(top)) return ofVault(top);
  return isSeq(top)
    ? top.items.filter((item) => isMap(item)).flatMap((item) => ofVault(item) ?? entriesOf(item))
    : null;
}

const entriesOf = (map: YAMLMap, nodeOf = (value: unknown): unknown => value): readonly ExportedEntry[] =>
  map.items.map(({ key, value }) => ({ at: offsetOf(key), name: nameOf(key), value: nodeOf(value) }));

/**
 * Returns the entries of a response of the engine KV; null if the map is no response. Those of version 2 contain `data` and `metadata`
 * inside `data`.
 */
function ofVault(response: YAMLMap): readonly ExportedEntry[] | null {
  if (!response.has('data') || !(response.has('request_id') || response.has('lease_id'))) return null;
  const data = response.get('data');
  if (!isMap(data)) return [withoutData(response, 'This response of Vault contains no secret. Remove it.')];
  const metadata = data.get('metadata');
  const isVersion2 = data.items.length === 2 && data.has('data') && isMap(metadata) && metadata.has('created_time');
  if (!isVersion2) return entriesOf(data);
  const inside = data.get('data');
  return isMap(inside) ? entriesOf(inside) : [withoutData(response, DELETED)];
}

const DELETED =
  'The latest version of this secret was deleted. Restore it in Vault and export it again, or remove the response.';

const withoutData = (response: YAMLMap, problem: string): ExportedEntry => ({
  ...{ at: offsetOf(response), name: '', value: null, problem },
});

/** Returns the entries of `doppler secrets --json` and of the API, which have an object for each name. */
function ofDoppler(top: YAMLMap): readonly ExportedEntry[] | null {
  const secrets = top.get('secrets');
  const map = isMap(secrets) ? secrets : top;
  const isDetailed = ({ value }: { readonly value: unknown }) => isMap(value) && value.has('computed');
  if (map.items.length === 0 || !map.items.every(isDetailed)) return null;
  return entriesOf(map, (value) => (isMap(value) ? value.get('computed', true) : value));
}

/** Returns the entry of a secret. A personal override is only for its owner, so it is not imported. */
function ofInfisical(secret: YAMLMap): readonly ExportedEntry[] {
  const name = String(secret.get('key') ?? '');
  const entry = { at: offsetOf(secret), name, value: secret.get('value', true) };
  if (secret.get('type') !== 'personal') return [entry];
  return [{ ...entry, problem: `${name} is a personal override. Export again with --secret-overriding=false.` }];
}

const offsetOf = (node: unknown): number => (node as Node).range?.[0] ?? 0;

/** Returns the text of a name as it is written. */
export function nameOf(key: unknown): string {
  if (!isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

/** Splits a text that contains several JSON objects one after the other. `line` is the number of lines before an object. */
export function jsonTexts(source: string): readonly { readonly text: string; readonly line: number }[] {
  const texts: { text: string; line: number }[] = [];
  let [depth, start, line, lines] = [0, 0, 0, 0];
  let isInText = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\n') lines += 1;
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && --depth === 0) {
      texts.push({ text: source.slice(start, at + 1), line });
      [start, line] = [at + 1, lines];
    }
  }
  return source.slice(start).trim() === '' ? texts : [...texts, { text: source.slice(start), line }];
}
