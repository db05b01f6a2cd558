import { decodeText } from '@strata/domain';
import { isMap, isScalar, isSeq, type Node, Scalar, type YAMLMap } from 'yaml';
import type { SecretStore } from './file-formats.ts';

/** A name with the node of its value, in the export of a secret store. */
export interface ExportedEntry {
  /** The offset of the name in the document. */
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
  /** Why the value cannot be imported. */
  readonly problem?: string;
  /** Why there is nothing to import. */
  readonly skipped?: string;
}

/** Returns the names and values in an export; null if the document is only a map of names and values. */
export function readExportedEntries(
  top: Node,
  program: SecretStore | 'Consul',
  separator: string,
): readonly ExportedEntry[] | null {
  if (program === 'Doppler') return isMap(top) ? ofDoppler(top) : null;
  if (isMap(top)) return program === 'Vault' ? ofVault(top) : null;
  if (!isSeq(top)) return null;
  return top.items.flatMap((item) => {
    if (!isMap(item))
      return [{ at: offsetOf(item), name: '', value: null, problem: `Expected an entry of ${program}.` }];
    if (program === 'Vault') return ofVault(item) ?? listEntries(item);
    return program === 'Consul' ? [ofConsul(item, separator)] : ofInfisical(item);
  });
}

const listEntries = (map: YAMLMap, nodeOf = (value: unknown): unknown => value): readonly ExportedEntry[] =>
  map.items.map(({ key, value }) => ({ at: offsetOf(key), name: formatName(key), value: nodeOf(value) }));

/** The members of a response of Vault besides `data`, with the metadata that is beside the data in its inner object. */
const OF_RESPONSES = new Set([
  ...[
    'request_id',
    'lease_id',
    'lease_duration',
    'renewable',
    'warnings',
    'auth',
    'wrap_info',
    'mount_type',
    'metadata',
  ],
]);

/** The members of the metadata of version 2. */
const OF_METADATA = new Set(['created_time', 'custom_metadata', 'deletion_time', 'destroyed', 'version']);

/**
 * Returns the entries of a response of the engine KV, also without some of its members; null if the map is no response. Those of version 2
 * contain `data` and `metadata` inside `data`.
 */
function ofVault(response: YAMLMap): readonly ExportedEntry[] | null {
  const names = response.items.map(({ key }) => formatName(key));
  const isMarked = names.includes('request_id') || names.includes('lease_id');
  if (!names.includes('data') || !(isMarked || names.every((name) => name === 'data' || OF_RESPONSES.has(name))))
    return null;
  const data = response.get('data');
  if (isVersion2(response)) return entriesOfVersion2(response, response);
  if (!isMap(data)) {
    return isMarked ? [withoutData(response, 'This response of Vault contains no secret. Remove it.')] : null;
  }
  return isVersion2(data) ? entriesOfVersion2(data, response) : listEntries(data);
}

/** Returns whether a map is the object of version 2. A secret of version 1 can have the names data and metadata, too. */
function isVersion2(map: YAMLMap): boolean {
  const [data, metadata] = [map.get('data'), map.get('metadata')];
  // `get` returns undefined for null.
  const isData = map.has('data') && (isMap(data) || data === undefined);
  return (
    map.items.length === 2 &&
    isData &&
    isMap(metadata) &&
    metadata.items.every(({ key }) => OF_METADATA.has(formatName(key)))
  );
}

function entriesOfVersion2(map: YAMLMap, response: YAMLMap): readonly ExportedEntry[] {
  const data = map.get('data');
  return isMap(data) ? listEntries(data) : [withoutData(response, DELETED)];
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
  return listEntries(map, (value) => (isMap(value) ? value.get('computed', true) : value));
}

/** Returns the entry of a secret. A personal override is only for its owner, so it is not imported. */
function ofInfisical(secret: YAMLMap): readonly ExportedEntry[] {
  const name = String(secret.get('key') ?? '');
  const entry = { at: offsetOf(secret), name, value: secret.get('value', true) };
  if (secret.get('type') !== 'personal') return [entry];
  return [{ ...entry, problem: `${name} is a personal override. Export again with --secret-overriding=false.` }];
}

/** Returns the entry of a key of Consul, whose value is base64. The folders of a key are joined like nested names. */
function ofConsul(entry: YAMLMap, separator: string): ExportedEntry {
  const key = String(entry.get('key') ?? '');
  const name = key.split('/').join(separator);
  const base = { at: offsetOf(entry), name, value: null };
  if (key.endsWith('/')) return { ...base, skipped: `${key} is a folder.` };
  const encoded = String(entry.get('value') ?? '');
  const { text } = decodeBase64(encoded);
  if (text === undefined) return { ...base, problem: `The value of ${key} is not text in UTF-8. Write it as base64.` };
  return { ...base, value: new Scalar(text) };
}

function decodeBase64(encoded: string): { readonly text?: string | undefined } {
  try {
    return decodeText(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    return {};
  }
}

const offsetOf = (node: unknown): number => (node as Node).range?.[0] ?? 0;

/** Returns the text of a name as it is written. */
export function formatName(key: unknown): string {
  if (!isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}
