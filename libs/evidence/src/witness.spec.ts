import { CheckpointKey } from './checkpoint.ts';
import { assertCosigned, cosignatureRequest, readCosignatures, readWitnessKey } from './witness.ts';

/** The note and the response of litewitness (filippo.io/torchwood v0.6.1), with its key. */
const KEY = 'witness.example+83b67327+BJ6WvS9bYIq79wVNaCrWmInXjHn6Z6qODrYkc1y7rFLd';
const NOTE = new CheckpointKey(Buffer.alloc(32, 1)).sign({
  origin: 'strata/ledger/example',
  size: 3,
  root: Buffer.alloc(32, 3),
  contents: Buffer.alloc(32, 4),
});
const COSIGNATURE =
  '— witness.example g7ZzJwAAAABrDb26QqFkxSVVzeDcqfUGI6NqUGv68SAuWidRK1mMzmEX+i29tO31LRo+E3NMZAJFDxN9wK2N8zrNKuySIMJ+S8CyDA==\n';
const witness = readWitnessKey(KEY);

test('reads the cosignature of a litewitness with its time', () => {
  expect(witness.name).toBe('witness.example');
  expect(witness.verify(NOTE + COSIGNATURE)).toBe(1_796_062_650);
  expect(readCosignatures(NOTE, COSIGNATURE, witness)).toBe(COSIGNATURE);
});

test('ignores cosignatures of another note, another time or another key, and damaged ones', () => {
  const another = new CheckpointKey(Buffer.alloc(32, 1)).sign({ origin: 'other', size: 3, root: Buffer.alloc(32, 3) });
  expect(witness.verify(another + COSIGNATURE)).toBeNull();
  expect(witness.verify(NOTE)).toBeNull();
  const bytes = Buffer.from(COSIGNATURE.split(' ')[2] ?? '', 'base64');
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(witness.verify(`${NOTE}— witness.example ${damaged.toString('base64')}\n`)).toBeNull();
  }
  for (const text of ['', 'no signature', '— witness.example g7ZzJw==\n', '— witness.example \n', `${COSIGNATURE}—`])
    expect([text, readCosignatures(NOTE, text, witness)]).toEqual([
      text,
      text === `${COSIGNATURE}—` ? COSIGNATURE : '',
    ]);
});

test('a quorum counts each witness once', () => {
  const log = new CheckpointKey(Buffer.alloc(32, 1)).verifierKey('strata/ledger/example');
  expect(() => readWitnessKey(log)).toThrow('type 4');
  const note = NOTE + COSIGNATURE + COSIGNATURE;
  expect(() => assertCosigned(note + NOTE, [witness], 1)).toThrow('0 of the given witnesses');
  expect(() => assertCosigned(note, [witness], 1)).not.toThrow();
  expect(() => assertCosigned(note, [witness], 2)).toThrow('1 of the given witnesses');
});

test('a request has the size, the proof and the note', () => {
  expect(cosignatureRequest(2, [Buffer.alloc(32, 1)], NOTE)).toBe(
    `old 2\n${Buffer.alloc(32, 1).toString('base64')}\n\n${NOTE}`,
  );
  expect(cosignatureRequest(0, [], NOTE)).toBe(`old 0\n\n${NOTE}`);
});
