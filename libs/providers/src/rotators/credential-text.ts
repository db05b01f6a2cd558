import { ProviderError } from '../provider-error.ts';

/** The members that can contain the name and the secret of a credential, in a text that is a JSON object. */
export interface CredentialMembers {
  readonly name: readonly string[];
  readonly secret: readonly string[];
}

/** A text with a credential: a JSON object, or a URL with a user and a password. */
export interface CredentialText {
  readonly name: string;
  readonly secret: string;
  /** Returns the same text with another credential. */
  replace(name: string, secret: string): string;
}

/** Returns the credential in a text; null if the text has neither form. A secret is never empty. */
export function parseCredential(text: string, members: CredentialMembers): CredentialText | null {
  return parseObject(text, members) ?? parseUrl(text);
}

/** Returns the credential of a text that was identified before. Throws if the secret would remain in the text. */
export function parseReplaceable(text: string, members: CredentialMembers): CredentialText {
  const parsed = parseCredential(text, members);
  if (parsed === null) throw new Error('The text was identified before.');
  const { secret, replace } = parsed;
  const rest = replace('', '');
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  if (!forms.some((form) => rest.includes(form))) return parsed;
  const detail =
    'Another part of the text also contains the password. A rotation would not replace it there. Remove it, and rotate again.';
  throw new ProviderError({ kind: 'conflict', code: 'secret_remains', detail });
}

function parseObject(text: string, members: CredentialMembers): CredentialText | null {
  if (!text.trimStart().startsWith('{')) return null;
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return null;
  }
  const record = content as Record<string, unknown>;
  const find = (names: readonly string[]) => names.find((name) => typeof record[name] === 'string');
  const [name, secret] = [find(members.name), find(members.secret)];
  if (name === undefined || secret === undefined || record[secret] === '') return null;
  return {
    name: String(record[name]),
    secret: String(record[secret]),
    replace: (newName, newSecret) => JSON.stringify({ ...record, [name]: newName, [secret]: newSecret }),
  };
}

function parseUrl(text: string): CredentialText | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username === '' || url.password === '') return null;
  const [name, secret] = [decode(url.username), decode(url.password)];
  if (name === null || secret === null) return null;
  return {
    name,
    secret,
    replace: (newName, newSecret) => {
      const replaced = new URL(text);
      replaced.username = encodeURIComponent(newName);
      replaced.password = encodeURIComponent(newSecret);
      return replaced.href;
    },
  };
}

/** Returns null for a text with a percent sign that encodes nothing. */
function decode(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
