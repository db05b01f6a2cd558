import { formatPointInTime, parsePointInTime } from './point-in-time.ts';

describe('the URL names a point in time', () => {
  it.each`
    text                           | moment
    ${'2026-11-22T10:00:00.5Z'}    | ${{ kind: 'instant', instant: '2026-11-22T10:00:00.5Z' }}
    ${'r12'}                       | ${{ kind: 'revision', revision: 12 }}
    ${'tag:production/v1'}         | ${{ kind: 'tag', environment: 'production', tag: 'v1' }}
    ${'tag:production/release/v1'} | ${{ kind: 'tag', environment: 'production', tag: 'release/v1' }}
  `('$text', ({ text, moment: pointInTime }) => {
    expect(parsePointInTime(text)).toEqual(pointInTime);
    expect(formatPointInTime(pointInTime)).toBe(text);
  });

  it.each([undefined, '', 'yesterday', 'r', 'r1.5', 'tag:', 'tag:production/', '2026-13-45T99:00'])(
    'and %s is the present',
    (text) => {
      expect(parsePointInTime(text)).toEqual({ kind: 'now' });
    },
  );
});
