import { parseVersion, versionOf } from './version.ts';

const LEDGER_ID = '6f1d0a52-5b0e-4c0e-9d1b-3a4f0c8d7e21';
const INSTANT = '2026-11-20T10:00:05.500000Z';

describe('versionOf', () => {
  it.each([
    ['the ledger_id if there is one', { ledger_id: LEDGER_ID, modified_at: INSTANT }, LEDGER_ID],
    ['the last modification time if there is no ledger_id', { modified_at: INSTANT }, INSTANT],
    ['null if both are missing', {}, null],
  ])('returns %s', (_, object, version) => {
    expect(versionOf(object)).toBe(version);
  });
});

describe('parseVersion', () => {
  it.each([
    [LEDGER_ID, LEDGER_ID],
    [LEDGER_ID.toUpperCase(), LEDGER_ID],
    [INSTANT, INSTANT],
    ['2026-11-20T11:00:05.5+01:00', INSTANT],
    ['', null],
    ['*', null],
    [`${INSTANT}", "${LEDGER_ID}`, null],
    ['no version', null],
  ])('parses %j as %j', (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });
});
