/** Why a text that is not kept as a secret looks like one. */
export const SECRET_LOOKS = ['private_key', 'known_token', 'password_in_url', 'secret_name', 'high_entropy'] as const;
export type SecretLook = (typeof SECRET_LOOKS)[number];

/** No credential begins later in a text than this; it bounds the time that one text takes. */
const LOOKED_AT_MAX = 8_192;

const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY-----/;

/** How issuers mark their credentials, so that they are recognized wherever they turn up. */
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

/** `scheme://user:password@`; what stands for a password that is put in elsewhere is none. */
const PASSWORD_IN_URL = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,200}:(?![{$<*%])[^\s/@]{1,200}@/i;

/** The last word of a name that holds a credential. */
const SECRET_WORDS = new Set(
  'password passwd passphrase passcode pwd secret secrets token credential credentials apikey'.split(' '),
);
/** What stands before `key` where it is one that opens something. */
const KEYS_THAT_OPEN = new Set(
  'api private secret access signing encryption master auth license account hmac aes ssh'.split(' '),
);
/** Names whose texts are long and random and open nothing. */
const NAMES_OF_NUMBERS = new Set(
  'id uuid guid sha sha1 sha256 sha512 md5 hash digest checksum commit revision version fingerprint etag image integrity public pub'.split(
    ' ',
  ),
);

/** A text that only says where a credential is, or that there is none. */
const NO_CREDENTIAL =
  /^(?:|true|false|yes|no|on|off|none|null|\d{1,5}|\/.*|file:.*|[a-z][a-z0-9+.-]{0,20}:\/\/.*|\*+)$/is;
/** Bare `KEY` names many harmless things, so that a text of this length must stand under it. */
const KEY_LENGTH_MIN = 16;

/** `dbPassword`, `DB_PASSWORD`, `db.password`: the words that a name is made of, in small letters. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

function nameLooksSecret(name: string, text: string): boolean {
  const words = wordsOfName(name);
  const last = words.at(-1) ?? '';
  if (SECRET_WORDS.has(last)) return true;
  if (last !== 'key') return false;
  if (words.includes('public') || words.includes('pub')) return false;
  return (
    KEYS_THAT_OPEN.has(words.at(-2) ?? '') || (words.length === 1 && text.length >= KEY_LENGTH_MIN && !/\s/.test(text))
  );
}

const RANDOM_LENGTH_MIN = 24;
const RANDOM_LENGTH_MAX = 512;
/** Of a text in which each character were as likely as any other of 16: what no word or path comes near. */
const ENTROPY_MIN = 4;
const HEX_LENGTH_MIN = 32;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

function looksRandom(name: string, text: string): boolean {
  if (text.length < RANDOM_LENGTH_MIN || text.length > RANDOM_LENGTH_MAX || UUID.test(text)) return false;
  if (wordsOfName(name).some((word) => NAMES_OF_NUMBERS.has(word))) return false;
  if (/^[\da-f]+$/i.test(text)) return text.length >= HEX_LENGTH_MIN && /\d/.test(text) && /[a-f]/i.test(text);
  const isMixed = /^[\w+/=-]+$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
  return isMixed && entropyOf(text) >= ENTROPY_MIN;
}

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  return bits;
}

/** A text as it is stored. */
export interface LookedAtText {
  readonly name: string;
  /** Name of the parameter's type. */
  readonly type: string;
  readonly text: string;
  /** Of a text that is evaluated only what stands in it counts, not what it is called: it is made of other texts. */
  readonly interpolated: boolean;
}

/** The first reason for which a text looks like a secret, or null. Nobody is told which text it was. */
export function secretLookOf({ name, type, text, interpolated }: LookedAtText): SecretLook | null {
  if (type === 'integer' || type === 'boolean') return null;
  const part = text.slice(0, LOOKED_AT_MAX);
  if (PRIVATE_KEY.test(part)) return 'private_key';
  if (KNOWN_TOKENS.some((token) => token.test(part))) return 'known_token';
  if (PASSWORD_IN_URL.test(part)) return 'password_in_url';
  if (interpolated) return null;
  if (!NO_CREDENTIAL.test(part) && nameLooksSecret(name, part)) return 'secret_name';
  return looksRandom(name, text) ? 'high_entropy' : null;
}
