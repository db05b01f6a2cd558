import { withDecision, withoutOutdated } from './push-decisions.ts';

describe('decisions about keys', () => {
  const decisions = withDecision(new Map(), { key: 'A', version: '1' }, 'overwrite');

  it.each([
    ['the same version', [{ key: 'A', version: '1' }], ['A']],
    ['another version', [{ key: 'A', version: '2' }], []],
    ['no version', [{ key: 'A', version: null }], []],
    ['a key that another page lists', [{ key: 'B', version: '2' }], ['A']],
  ])('are kept or discarded for %s', (_, rows, currentKeys) => {
    expect([...withoutOutdated(decisions, rows).keys()]).toEqual(currentKeys);
  });

  it('stay the same object if none is outdated', () => {
    expect(withoutOutdated(decisions, [])).toBe(decisions);
  });
});
