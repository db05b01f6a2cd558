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

/** Returns the credential in a text; null if the text has neither form. */
export function parseCredential(text: string, members: CredentialMembers): CredentialText | null {
  return parseObject(text, members) ?? parseUrl(text);
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
  if (name === undefined || secret === undefined) return null;
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
  return {
    name: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
    replace: (name, secret) => {
      const replaced = new URL(text);
      replaced.username = encodeURIComponent(name);
      replaced.password = encodeURIComponent(secret);
      return replaced.href;
    },
  };
}
