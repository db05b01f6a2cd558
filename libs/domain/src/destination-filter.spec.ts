import { type DestinationFilter, passesFilter } from './destination-filter.ts';
import { matchesWildcards } from './wildcards.ts';

const ALL: DestinationFilter = {
  eventTypes: ['value_updated'],
  projectIds: [],
  environmentIds: [],
  parameterNames: [],
};
const EVENT = {
  type: 'value_updated',
  project: { id: 'p1', name: 'billing' },
  environment: { id: 'e1', name: 'production' },
  parameter: { id: 'q1', name: 'DB_HOST' },
} as const;

describe('the filter of a destination', () => {
  it.each<[string, Partial<DestinationFilter>, boolean]>([
    ['the event type', {}, true],
    ['another event type', { eventTypes: ['value_created'] }, false],
    ['the project', { projectIds: ['p0', 'p1'] }, true],
    ['another project', { projectIds: ['p0'] }, false],
    ['the environment', { environmentIds: ['e1'] }, true],
    ['another environment', { environmentIds: ['e0'] }, false],
    ['a pattern of names', { parameterNames: ['API_*', 'DB_*'] }, true],
    ['another name', { parameterNames: ['DB'] }, false],
    ['the project, but another environment', { projectIds: ['p1'], environmentIds: ['e0'] }, false],
  ])('that selects %s', (_, filter, passes) => {
    expect(passesFilter({ ...ALL, ...filter }, EVENT)).toBe(passes);
  });

  it('that selects a project or a name excludes events without one', () => {
    const event = { ...EVENT, project: null, parameter: null };
    expect(passesFilter(ALL, event)).toBe(true);
    expect(passesFilter({ ...ALL, projectIds: ['p1'] }, event)).toBe(false);
    expect(passesFilter({ ...ALL, parameterNames: ['*'] }, event)).toBe(false);
  });
});

test.each<[string, string, boolean]>([
  ['*', '', true],
  ['*', 'anything', true],
  ['DB_*', 'DB_HOST', true],
  ['DB_*', 'MY_DB_HOST', false],
  ['*_HOST', 'DB_HOST', true],
  ['*DB*HOST*', 'MY_DB_THE_HOST_1', true],
  ['*DB*HOST*', 'HOST_DB', false],
  ['ab*ba', 'aba', false],
  ['a*b*b', 'ab', false],
  ['a.c', 'abc', false],
])('the pattern %s and the name %s', (pattern, name, matches) => {
  expect(matchesWildcards(pattern, name)).toBe(matches);
});
