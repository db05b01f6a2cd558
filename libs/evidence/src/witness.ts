import { verify } from 'node:crypto';
import { CheckpointError, parseTypedKey, SIGNATURE_START, splitNotes } from './checkpoint.ts';

/*
 * Cosignatures as in c2sp.org/tlog-cosignature, and the requests of c2sp.org/tlog-witness.
 */

/** The type of Ed25519 cosignatures with a time, in a key and in its id. */
const COSIGNATURE = 4;
const TIME_BYTES = 8;

/** The key of a witness. */
export interface WitnessKey {
  readonly name: string;
  /** Returns the time of the first valid cosignature of this key, in seconds since the epoch; null if there is none. */
  verify(note: string): number | null;
}

/** Reads the key of a witness in the format of signed notes. Throws `CheckpointError` for any other text. */
export function readWitnessKey(text: string): WitnessKey {
  const { name, id, publicKey } = parseTypedKey(text, COSIGNATURE);
  const readTime = (noteText: string, line: string): number | null => {
    const [signer, encoded = ''] = line.slice(SIGNATURE_START.length).split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    if (signer !== name || !bytes.subarray(0, id.length).equals(id) || bytes.length <= id.length + TIME_BYTES)
      return null;
    const time = bytes.readBigUInt64BE(id.length);
    const message = Buffer.from(`cosignature/v1\ntime ${time}\n${noteText}`);
    return verify(null, message, publicKey, bytes.subarray(id.length + TIME_BYTES)) ? Number(time) : null;
  };
  return {
    name,
    verify: (note) => {
      const [parsed] = splitNotes(note);
      return parsed?.signatures.map((line) => readTime(parsed.text, line)).find((time) => time !== null) ?? null;
    },
  };
}

/** Returns the body of a request for a cosignature. `proof` shows that the checkpoint continues the tree of `oldSize`. */
export function cosignatureRequest(oldSize: number, proof: readonly Buffer[], note: string): string {
  return [`old ${oldSize}`, ...proof.map((hash) => hash.toString('base64')), '', note].join('\n');
}

/** Returns the signature lines of a witness from its response to a checkpoint that are valid; empty if there is none. */
export function readCosignatures(note: string, response: string, witness: WitnessKey): string {
  const lines = response.split('\n').filter((line) => line.startsWith(SIGNATURE_START));
  return lines
    .filter((line) => witness.verify(`${note}${line}\n`) !== null)
    .map((line) => `${line}\n`)
    .join('');
}

/** Throws `CheckpointError` unless at least `quorum` of the witnesses have cosigned each note of a text. */
export function assertCosigned(text: string, witnesses: readonly WitnessKey[], quorum: number): void {
  for (const note of splitNotes(text)) {
    const [origin, size] = note.text.split('\n');
    const whole = `${note.text}\n${note.signatures.join('\n')}\n`;
    const count = witnesses.filter((witness) => witness.verify(whole) !== null).length;
    if (count < quorum)
      throw new CheckpointError(
        `${count} of the given witnesses have cosigned the checkpoint of ${origin} at revision ${size}, and ${quorum} are required.`,
      );
  }
}
