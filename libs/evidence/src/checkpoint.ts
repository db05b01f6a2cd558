import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import type { TreeHead } from './merkle-tree.ts';

/*
 * Checkpoints as in c2sp.org/tlog-checkpoint, in signed notes as in c2sp.org/signed-note.
 */

/** The root hash of a ledger's Merkle tree. Its size is the last revision that it covers. */
export interface Checkpoint extends TreeHead {
  /** Names the ledger. */
  readonly origin: string;
}

/** Returns the origin of the checkpoints of an organization's ledger. */
export function ledgerOrigin(organizationId: string): string {
  return `strata/ledger/${organizationId}`;
}

/** A key pair that signs checkpoints of any ledger. */
export class CheckpointKey {
  private readonly privateKey: KeyObject;
  private readonly publicKey: Buffer;

  /** `seed` is the private key of Ed25519: 32 bytes. */
  constructor(seed: Buffer) {
    this.privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = createPublicKey(this.privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  }

  /** Returns the public key in the format of signed notes, under which checkpoints of this ledger are verified. */
  verifierKey(origin: string): string {
    const typedKey = Buffer.concat([ED25519, this.publicKey]);
    return `${origin}+${keyId(origin, typedKey).toString('hex')}+${typedKey.toString('base64')}`;
  }

  /** Returns a signed checkpoint. */
  sign({ origin, size, root, contents }: Checkpoint): string {
    const extension = contents ? `${CONTENTS_LINE}${contents.toString('base64')}\n` : '';
    const text = `${origin}\n${size}\n${root.toString('base64')}\n${extension}`;
    const id = keyId(origin, Buffer.concat([ED25519, this.publicKey]));
    const signature = Buffer.concat([id, sign(null, Buffer.from(text), this.privateKey)]);
    return `${text}\n${SIGNATURE_START}${origin} ${signature.toString('base64')}\n`;
  }
}

/** The text of a file or a key that is not what it must be. */
export class CheckpointError extends Error {}

/**
 * Returns the checkpoints of signed notes, one after the other in a text. Throws `CheckpointError` unless one of the keys,
 * in the format of signed notes, has signed each of them.
 */
export function readCheckpoints(text: string, verifierKeys: readonly string[]): readonly Checkpoint[] {
  const keys = verifierKeys.map(parseKey);
  return splitNotes(text).map((note) => openCheckpoint(note, keys));
}

const KEY_BYTES = 32;
/** The type of the signature in a key and in its id. */
const ED25519 = Buffer.from([1]);
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const ID_BYTES = 4;
export const SIGNATURE_START = '— ';
/** Starts the extension line with the root hash of the contents. */
const CONTENTS_LINE = 'contents ';

const keyId = (name: string, typedKey: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typedKey]), 'buffer').subarray(0, ID_BYTES);

export interface VerifierKey {
  readonly name: string;
  readonly id: Buffer;
  readonly publicKey: KeyObject;
}

const parseKey = (text: string): VerifierKey => parseTypedKey(text, ED25519[0]);

/** Reads an Ed25519 key of signed notes, whose first byte is the type of its signatures. */
export function parseTypedKey(text: string, type: number | undefined): VerifierKey {
  const [, name = '', id = '', encodedKey = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const typedKey = Buffer.from(encodedKey, 'base64');
  const isEd25519 = typedKey.length === 1 + KEY_BYTES && typedKey[0] === type;
  if (!isEd25519 || keyId(name, typedKey).toString('hex') !== id)
    throw new CheckpointError(`This is no Ed25519 key of signed notes with signatures of type ${type}: ${text.trim()}`);
  const key = Buffer.concat([PUBLIC_PREFIX, typedKey.subarray(1)]);
  return { name, id: Buffer.from(id, 'hex'), publicKey: createPublicKey({ key, format: 'der', type: 'spki' }) };
}

export interface Note {
  /** The signed text. */
  readonly text: string;
  readonly signatures: readonly string[];
}

/** The lines of a note are its text, an empty line, and its signatures. */
export function splitNotes(text: string): readonly Note[] {
  const parts = text.replaceAll('\r\n', '\n').match(/(?:.+\n)+\n(?:— .+(?:\n+|$))+/g) ?? [];
  if (parts.join('').trim() !== text.replaceAll('\r\n', '\n').trim())
    throw new CheckpointError('The checkpoints are no signed notes: a text, an empty line, and signatures.');
  return parts.map((part) => {
    const end = part.indexOf(`\n\n${SIGNATURE_START}`) + 1;
    return { text: part.slice(0, end), signatures: part.slice(end).trim().split(/\n+/) };
  });
}

function openCheckpoint({ text, signatures }: Note, keys: readonly VerifierKey[]): Checkpoint {
  const [origin = '', sizeText = '', rootText = '', ...extension] = text.split('\n');
  const isSigned = keys.some(({ name, id, publicKey }) =>
    signatures.some((line) => {
      const [signer, encoded = ''] = line.slice(SIGNATURE_START.length).split(' ');
      const bytes = Buffer.from(encoded, 'base64');
      if (signer !== name || origin !== name || !bytes.subarray(0, ID_BYTES).equals(id)) return false;
      return verify(null, Buffer.from(text), publicKey, bytes.subarray(ID_BYTES));
    }),
  );
  if (!isSigned)
    throw new CheckpointError(`No given key has signed the checkpoint of ${origin} at revision ${sizeText}.`);
  const contents = extension.find((line) => line.startsWith(CONTENTS_LINE))?.slice(CONTENTS_LINE.length);
  return {
    ...{ origin, size: Number(sizeText), root: Buffer.from(rootText, 'base64') },
    ...(contents !== undefined && { contents: Buffer.from(contents, 'base64') }),
  };
}
