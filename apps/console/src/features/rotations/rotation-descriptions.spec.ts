import { needsPerson, sortByUrgency } from './rotation-descriptions.ts';

describe('the order of rotations', () => {
  it('begins with those that need a person, and ends with idle ones', () => {
    const states = ['idle', 'waiting', 'stopped', 'running', 'needs_decision'] as const;
    expect(sortByUrgency(states.map((state) => ({ state }))).map(({ state }) => state)).toEqual([
      'stopped',
      'needs_decision',
      'waiting',
      'running',
      'idle',
    ]);
    expect(states.filter((state) => needsPerson({ state }))).toEqual(['stopped', 'needs_decision']);
  });
});
