import type { SourceFormat } from './file-formats.ts';

/** The format of the program that wrote a text, or why the text cannot be imported. */
export type Signature =
  | { readonly format: SourceFormat; readonly problem?: undefined }
  | { readonly problem: string; readonly line: number; readonly format?: undefined };

/**
 * Files that are encrypted as a whole, or in each value. A pattern that begins at every line must not skip line breaks, which would take
 * quadratic time.
 */
const ENCRYPTED = [
  { by: 'sops', decrypt: 'sops decrypt <file>', pattern: /\bENC\[AES256_GCM,data:/ },
  { by: 'dotenvx', decrypt: 'dotenvx decrypt --stdout', pattern: /[:=]\s*["']?encrypted:[A-Za-z0-9+/=]{40,}/ },
  { by: 'Ansible Vault', decrypt: 'ansible-vault decrypt <file>', pattern: /^[ \t]*\$ANSIBLE_VAULT;/m },
  {
    by: 'age',
    decrypt: 'age --decrypt <file>',
    pattern: /^(-----BEGIN AGE ENCRYPTED FILE-----|age-encryption\.org\/)/,
  },
  { by: 'PGP', decrypt: 'gpg --decrypt <file>', pattern: /^-----BEGIN PGP MESSAGE-----/ },
] as const;

type Members = Readonly<Record<string, unknown>>;

/** Recognizes a text by its contents; null if it only is dotenv, JSON or YAML. */
export function detectSignature(text: string): Signature | null {
  for (const { by, decrypt, pattern } of ENCRYPTED) {
    const at = text.search(pattern);
    if (at === -1) continue;
    const line = text.slice(0, at).split(/\r\n?|\n/).length;
    return { line, problem: `The file is encrypted by ${by}. Decrypt it, and import the result: ${decrypt}` };
  }
  if (DOPPLER.every((pattern) => pattern.test(text))) return { format: 'Doppler' };
  if (/^apiVersion:\s*\S/m.test(text) && /^kind:\s*\S/m.test(text)) return { line: 1, problem: MANIFEST };
  const document = /^\s*[[{]/.test(text) ? firstJson(text) : undefined;
  if (Array.isArray(document)) return listSignature(document);
  return isMembers(document) ? objectSignature(document) : null;
}

/** The names that Doppler adds to each configuration, as names of dotenv, JSON and YAML. */
const DOPPLER = ['DOPPLER_PROJECT', 'DOPPLER_CONFIG'].map(
  (name) => new RegExp(`(?:^|[{,])[ \\t]*(?:export[ \\t]+)?"?${name}"?\\s*[:=]`, 'm'),
);

const MANIFEST =
  'The file is a manifest of Kubernetes. Write its data as names and values, and decode those of a Secret from base64.';

function firstJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const [first] = jsonTexts(text);
    try {
      return first && JSON.parse(first.text);
    } catch {
      return undefined;
    }
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectSignature(members: Members): Signature | null {
  if (isVaultResponse(members)) return { format: 'Vault' };
  if ('apiVersion' in members && 'kind' in members) return { line: 1, problem: MANIFEST };
  if ('SecretString' in members && 'ARN' in members) return ofAws('Secrets Manager', 'the member SecretString');
  if (Array.isArray(members.Parameters) && members.Parameters.every(isSsm)) return SYSTEMS_MANAGER;
  return null;
}

const isVaultResponse = (members: Members): boolean => {
  if ('lease_id' in members && 'lease_duration' in members) return true;
  return isMembers(members.data) && isMembers(members.metadata) && 'created_time' in members.metadata;
};

const isSsm = (item: unknown): boolean => isMembers(item) && 'Name' in item && 'Value' in item && 'Type' in item;

const ofAws = (product: string, member: string): Signature => ({
  line: 1,
  problem: `The file is an export of AWS ${product}. Write ${member} as names and values.`,
});
const SYSTEMS_MANAGER = ofAws('Systems Manager', 'Name and Value of each parameter');

function listSignature(items: readonly unknown[]): Signature | null {
  if (items.length === 0 || !items.every(isMembers)) return null;
  if (items.some(isVaultResponse)) return { format: 'Vault' };
  if (items.every(isSsm)) return SYSTEMS_MANAGER;
  if (!items.every((item) => typeof item.key === 'string' && 'value' in item)) return null;
  if (items.every(({ flags }) => typeof flags === 'number')) return { format: 'Consul' };
  return items.every(isOfInfisical) ? { format: 'Infisical' } : null;
}

const isOfInfisical = (item: Members): boolean =>
  ['_id', 'workspace', 'secretPath'].some((name) => name in item) || item.type === 'shared' || item.type === 'personal';

/** Splits a text that contains several JSON objects one after the other. `line` is the number of lines before an object. */
export function jsonTexts(source: string): readonly { readonly text: string; readonly line: number }[] {
  const texts: { text: string; line: number }[] = [];
  let [depth, start, line, lines] = [0, 0, 0, 0];
  let isInText = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index];
    if (character === '\n') lines += 1;
    if (isInText) {
      if (character === '\\') index += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && --depth === 0) {
      texts.push({ text: source.slice(start, index + 1), line });
      [start, line] = [index + 1, lines];
    }
  }
  return source.slice(start).trim() === '' ? texts : [...texts, { text: source.slice(start), line }];
}
