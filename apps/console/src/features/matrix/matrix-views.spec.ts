import { createSearch, isShown, readChoices } from './matrix-views.ts';

const ENVIRONMENTS = [
  { id: 'd', name: 'default' },
  { id: 'p', name: 'production' },
  { id: 'c', name: 'a:b,c' },
];
const SEARCH = {
  envs: ['a:b,c', 'default'],
  pin: ['default'],
  width: ['a:b,c:240', 'production:80'],
  state: 'missing',
  sort: 'production',
  order: 'desc',
  group: 'prefix',
} as const;

it('a view describes the columns, their order, widths and the filter by state, with ids', () => {
  const choices = readChoices(SEARCH, ENVIRONMENTS);

  expect(choices).toMatchObject({
    environmentIds: ['c', 'd'],
    pinnedIds: ['d'],
    widths: [
      { environmentId: 'c', width: 240 },
      { environmentId: 'p', width: 80 },
    ],
    state: 'missing',
    sortedById: 'p',
    descending: true,
    grouped: true,
  });
  expect(createSearch(choices, ENVIRONMENTS)).toEqual(SEARCH);
  expect(readChoices({}, ENVIRONMENTS)).toMatchObject({ environmentIds: [], pinnedIds: [], widths: [], state: null });
});

it('a view never contains the text of the filter, which may be a value', () => {
  const search = { ...SEARCH, q: 'part of a value' };

  expect(JSON.stringify(readChoices(search, ENVIRONMENTS))).not.toContain('part of a value');
});

it('a view follows renamed environments, and leaves out deleted ones', () => {
  const choices = readChoices(SEARCH, ENVIRONMENTS);
  const now = [{ id: 'c', name: 'canary' }];

  expect(createSearch(choices, now)).toEqual({
    envs: ['canary'],
    pin: undefined,
    width: ['canary:240'],
    state: 'missing',
    order: 'desc',
    group: 'prefix',
  });
  expect(createSearch(choices, [])).toEqual({
    envs: undefined,
    pin: undefined,
    width: undefined,
    state: 'missing',
    order: 'desc',
    group: 'prefix',
  });
});

it('a page shows a view if everything but the order of widths is equal', () => {
  const choices = readChoices(SEARCH, ENVIRONMENTS);

  expect(isShown(choices, { ...SEARCH, width: SEARCH.width.toReversed() }, ENVIRONMENTS)).toBe(true);
  expect(isShown(choices, { ...SEARCH, envs: SEARCH.envs.toReversed() }, ENVIRONMENTS)).toBe(false);
  expect(isShown(choices, { ...SEARCH, state: undefined }, ENVIRONMENTS)).toBe(false);
  expect(isShown(choices, {}, ENVIRONMENTS)).toBe(false);
});
