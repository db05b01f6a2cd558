import { parseVersion, versionOf } from './version.ts';

const LEDGER_ID = '6f1d0a52-5b0e-4c0e-9d1b-3a4f0c8d7e21';
const INSTANT = '2026-11-20T10:00:05.500000Z';

describe('the version of an object', () => {
  it.each([
    ['its ledger_id, where it has one', { ledger_id: LEDGER_ID, modified_at: INSTANT }, LEDGER_ID],
    ['when it was last changed, where it has none', { modified_at: INSTANT }, INSTANT],
    ['nothing, where neither is told', {}, null],
  ])('is %s', (_, object, version) => {
    expect(versionOf(object)).toBe(version);
  });
});

describe('a version that somebody gives back', () => {
  it.each([
    [LEDGER_ID, LEDGER_ID],
    [LEDGER_ID.toUpperCase(), LEDGER_ID],
    [INSTANT, INSTANT],
    ['2026-11-20T11:00:05.5+01:00', INSTANT],
    ['', null],
    ['*', null],
    [`${INSTANT}", "${LEDGER_ID}`, null],
    ['no version', null],
  ])('%j is understood as %j', (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });
});
