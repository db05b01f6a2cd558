/** A block of a PEM text. */
export interface PemBlock {
  /** The words of the first line, such as `CERTIFICATE`. */
  readonly label: string;
  /** The encoded contents. */
  readonly base64: string;
}

/** Matches a block. Its headers can contain single hyphens, as in the name of a cipher. */
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*(?:-(?!----)[^-]*)*)-----END \1-----/g;
/** The maximum number of blocks that are read. */
const BLOCKS_MAX = 50;

/** Returns the blocks of a PEM text, such as the certificates of a chain; an empty list for other texts. */
export function pemBlocks(text: string): readonly PemBlock[] {
  if (!text.includes('-----BEGIN ')) return [];
  const matches = [...text.matchAll(BLOCK)].slice(0, BLOCKS_MAX);
  return matches.map(([, label = '', base64 = '']) => ({ label, base64: base64.replace(/\s+/g, '') }));
}

const KINDS: Readonly<Record<string, string>> = {
  'CERTIFICATE REQUEST': 'Certificate request',
  'NEW CERTIFICATE REQUEST': 'Certificate request',
  'PUBLIC KEY': 'Public key',
  'RSA PUBLIC KEY': 'Public key (RSA)',
  'X509 CRL': 'Revocation list',
  'PRIVATE KEY': 'Private key',
  'ENCRYPTED PRIVATE KEY': 'Private key, encrypted',
  'RSA PRIVATE KEY': 'Private key (RSA)',
  'EC PRIVATE KEY': 'Private key (EC)',
  'DSA PRIVATE KEY': 'Private key (DSA)',
  'OPENSSH PRIVATE KEY': 'Private key (OpenSSH)',
};

export const isPrivateKey = ({ label }: PemBlock): boolean => label.includes('PRIVATE KEY');

/** Names the kind of a block. */
export const pemKind = ({ label }: PemBlock): string => KINDS[label] ?? label.toLowerCase();
