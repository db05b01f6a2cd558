import { type Checkpoint, CheckpointError, CheckpointKey, readCheckpoints } from './checkpoint.ts';

const key = new CheckpointKey(Buffer.alloc(32, 1));
const createCheckpoint = (size: number, origin = 'strata/ledger/a'): Checkpoint => ({
  ...{ origin, size, root: Buffer.alloc(32, size) },
});
const first = createCheckpoint(1);
const verifier = key.verifierKey(first.origin);

it('reads the notes of a text, one after the other, with Unix and Windows lines', () => {
  const second = createCheckpoint(2, 'strata/ledger/b');
  const text = `${key.sign(first)}\n${key.sign(second)}${key.sign(first)}`;
  const keys = [verifier, key.verifierKey(second.origin)];
  expect(readCheckpoints(text, keys)).toEqual([first, second, first]);
  expect(readCheckpoints(text.replaceAll('\n', '\r\n'), keys)).toEqual([first, second, first]);
  expect(readCheckpoints('', [])).toEqual([]);
});

it('reads a note that a witness has signed, too', () => {
  const note = `${key.sign(first)}— witness.example/w ${Buffer.alloc(76, 7).toString('base64')}\n`;
  expect(readCheckpoints(note, [verifier])).toEqual([first]);
});

it.each([
  ['a note of another key', new CheckpointKey(Buffer.alloc(32, 2)).sign(first)],
  ['a note of another ledger', key.sign({ ...first, origin: 'strata/ledger/b' })],
  ['a changed size', key.sign(first).replace('\n1\n', '\n2\n')],
  ['a changed root hash', key.sign(first).replace('AQEB', 'AQEC')],
  ['a note without a signature', key.sign(first).replace(/— .*\n/, '')],
  ['another text', 'no note'],
])('rejects %s', (_, text) => {
  expect(() => readCheckpoints(text, [verifier])).toThrow(CheckpointError);
});

it.each(['', 'a+00000000+AQ==', verifier.replace('+', '+0')])('rejects the key %j', (text) => {
  expect(() => readCheckpoints(key.sign(first), [text])).toThrow(CheckpointError);
});
