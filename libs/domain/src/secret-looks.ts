/** The reasons why a text that is not marked as secret looks like one. */
export const SECRET_INDICATORS = [
  'private_key',
  'known_token',
  'password_in_url',
  'secret_name',
  'high_entropy',
] as const;
export type SecretIndicator = (typeof SECRET_INDICATORS)[number];

/** The length up to which a text is searched for credentials. It bounds the time per text. */
const LOOKED_AT_MAX = 8_192;

const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY-----/;

/** The prefixes that issuers give to their credentials so that scanners can recognize them. */
const KNOWN_TOKENS: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}/,
  /\bgithub_pat_[A-Za-z0-9_]{22}/,
  /\bglpat-[\w-]{20}/,
  /\bxox[abeoprs]-[\w-]{10}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16}/,
  /\bsk-[\w-]{20}/,
  /\bAIza[\w-]{35}/,
  /\bnpm_[A-Za-z0-9]{36}/,
  /\bpypi-AgEI[\w-]{20}/,
  /\bSG\.[\w-]{16,64}\.[\w-]{16}/,
  /\bhv[sbr]\.[\w-]{20}/,
  /\bdo[opr]_v1_[a-f0-9]{64}/,
  /\beyJ[\w-]{8,1000}\.eyJ[\w-]{8,1000}\.[\w-]{8}/,
];

/** Matches `scheme://user:password@`. A placeholder for the password does not count. */
const PASSWORD_IN_URL = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,200}:(?![{$<*%])[^\s/@]{1,200}@/i;

/** A name that ends in one of these words holds a credential. */
const SECRET_WORDS = new Set(
  'password passwd passphrase passcode pwd secret secrets token credential credentials apikey'.split(' '),
);
/** A name that ends in one of these words and `key` holds a credential. */
const KEYS_THAT_OPEN = new Set(
  'api private secret access signing encryption master auth license account hmac aes ssh'.split(' '),
);
/** Names whose texts are long and random but are not credentials. */
const NAMES_OF_NUMBERS = new Set(
  'id uuid guid sha sha1 sha256 sha512 md5 hash digest checksum commit revision version fingerprint etag image integrity public pub'.split(
    ' ',
  ),
);

/** A text that only refers to a credential, or says that there is none. */
const NO_CREDENTIAL =
  /^(?:|true|false|yes|no|on|off|none|null|\d{1,5}|\/.*|file:.*|[a-z][a-z0-9+.-]{0,20}:\/\/.*|\*+)$/is;
/** The minimum length of a text for names such as `KEY`, because many harmless parameters have such names. */
const KEY_LENGTH_MIN = 16;

/** Splits a name into words in lower case: `dbPassword`, `DB_PASSWORD` and `db.password` give the same words. */
export function splitName(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

function nameLooksSecret(name: string, text: string): boolean {
  const nameWords = splitName(name);
  const lastWord = nameWords.at(-1) ?? '';
  if (SECRET_WORDS.has(lastWord)) return true;
  if (lastWord !== 'key') return false;
  if (nameWords.includes('public') || nameWords.includes('pub')) return false;
  return (
    KEYS_THAT_OPEN.has(nameWords.at(-2) ?? '') ||
    (nameWords.length === 1 && text.length >= KEY_LENGTH_MIN && !/\s/.test(text))
  );
}

const RANDOM_LENGTH_MIN = 24;
const RANDOM_LENGTH_MAX = 512;
/** The entropy of a text of 16 equally likely characters. No word or path reaches it. */
const ENTROPY_MIN = 4;
const HEX_LENGTH_MIN = 32;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

function looksRandom(name: string, text: string): boolean {
  if (text.length < RANDOM_LENGTH_MIN || text.length > RANDOM_LENGTH_MAX || UUID.test(text)) return false;
  if (splitName(name).some((word) => NAMES_OF_NUMBERS.has(word))) return false;
  if (/^[\da-f]+$/i.test(text)) return text.length >= HEX_LENGTH_MIN && /\d/.test(text) && /[a-f]/i.test(text);
  const isMixed = /^[\w+/=-]+$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
  return isMixed && shannonEntropy(text) >= ENTROPY_MIN;
}

/** Returns the Shannon entropy in bits per character. */
export function shannonEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  return bits;
}

/** A text as stored. */
export interface InspectedText {
  readonly name: string;
  /** The name of the parameter's type. */
  readonly type: string;
  readonly text: string;
  /**
   * Whether the text is evaluated. For such a text only its literal content counts, not its name, because it is made
   * from other texts.
   */
  readonly interpolated: boolean;
}

/** Returns the first reason why a text looks like a secret, or null. The result never contains the text. */
export function detectSecretIndicator({ name, type, text, interpolated }: InspectedText): SecretIndicator | null {
  if (type === 'integer' || type === 'boolean') return null;
  const part = text.slice(0, LOOKED_AT_MAX);
  if (PRIVATE_KEY.test(part)) return 'private_key';
  if (KNOWN_TOKENS.some((token) => token.test(part))) return 'known_token';
  if (PASSWORD_IN_URL.test(part)) return 'password_in_url';
  if (interpolated) return null;
  if (!NO_CREDENTIAL.test(part) && nameLooksSecret(name, part)) return 'secret_name';
  return looksRandom(name, text) ? 'high_entropy' : null;
}
