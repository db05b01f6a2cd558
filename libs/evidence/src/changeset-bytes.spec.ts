import fc from 'fast-check';
import { type ChainLink, changesetHash, nextLink } from './chain-link.ts';
import { CHANGE_COLUMNS, type ChangesetRecord, changesetBytes } from './changeset-bytes.ts';

const RECORD: ChangesetRecord = {
  organizationId: '0b7e1a5c-1f0e-4e3b-9a0f-3d5c8a6b2d10',
  revision: 7,
  at: '2026-11-22T10:00:00.000001Z',
  actor: { id: '5c4f0b1e-9c5a-4a0b-8f6e-0a1b2c3d4e5f', name: 'Ada', type: 'interactive' },
  surface: 'rest',
  requestId: 'req-1',
  message: 'why',
  externalRef: null,
  changes: [['1', 'value_updated', 'update', 'Value', 'id', 'TIMEOUT', null, null, null, null, null, null, '{0,1}']],
};

const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 4 }), { nil: null });
const someText = fc.string({ unit: 'grapheme', maxLength: 4 });
const records: fc.Arbitrary<ChangesetRecord> = fc.record({
  ...{ organizationId: someText, revision: fc.nat(3), at: someText },
  actor: fc.record({ id: someText, name: someText, type: someText }),
  ...{ surface: someText, requestId: someText, message: text, externalRef: text },
  changes: fc.array(fc.tuple(...CHANGE_COLUMNS.map(() => text)), { maxLength: 3 }),
});

it('different changesets have different bytes', () => {
  fc.assert(
    fc.property(records, records, (a, b) => {
      const isSame = JSON.stringify(a) === JSON.stringify(b);
      expect(changesetBytes(a).equals(changesetBytes(b))).toBe(isSame);
    }),
  );
});

it('null differs from an empty text, and a text does not move to the next column', () => {
  const variants = [
    { message: null, externalRef: '' },
    { message: '', externalRef: null },
    { message: 'ab', externalRef: 'c' },
    { message: 'a', externalRef: 'bc' },
  ];
  expect(new Set(variants.map((variant) => changesetBytes({ ...RECORD, ...variant }).toString('hex'))).size).toBe(4);
});

it('the format does not change: stored links must stay valid', () => {
  const first = nextLink(null, 7, changesetHash(RECORD));
  expect([first, nextLink(first, 8, changesetHash({ ...RECORD, revision: 8 }))]).toMatchInlineSnapshot(`
[
  {
    "hash": "545b414488a4bd11c38cdb168ae357bb39e4c5c3b9ff57d5c1862e6898583154",
    "revision": 7,
  },
  {
    "hash": "18f206f787e19b84414c4473a1c2a0b112087e2d520339f4e70857dbbfa11045",
    "revision": 8,
  },
]
`);
});

it('a link depends on the previous link and its revision', () => {
  const previous: ChainLink = { revision: 6, hash: '00'.repeat(32) };
  const links = [null, previous, { ...previous, revision: 5 }, { ...previous, hash: 'ff'.repeat(32) }];
  expect(new Set(links.map((link) => nextLink(link, 7, changesetHash(RECORD)).hash)).size).toBe(4);
});
