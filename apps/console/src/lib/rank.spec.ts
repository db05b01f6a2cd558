import { bestOf, rankOf, type SearchTarget } from './rank.ts';

const webhooks: SearchTarget = { title: 'Webhooks', synonyms: 'slack chat notifications' };

describe('what was typed', () => {
  it.each([
    ['', 0],
    ['webhooks', 0],
    ['web', 1],
    ['SLACK', 2],
    ['notification', 2],
    ['web slack', 2],
    ['sla', 3],
    ['hook', 4],
  ])(
    '%p fits a title, its beginning, its words or other words for it, the beginnings of those, in this order',
    (typed, rank) => {
      expect(rankOf(webhooks, typed)).toBe(rank);
    },
  );

  it.each(['x', 'hooks of slack', 'o', 'lack'])('%p does not fit', (typed) => {
    expect(rankOf(webhooks, typed)).toBeNull();
  });

  it('is found after any character that is not a letter', () => {
    expect(rankOf({ title: 'max_connections' }, 'conn')).toBe(2);
    expect(rankOf({ title: 'über.größe' }, 'größe')).toBe(2);
  });

  it('lists the best first up to the limit, and keeps the order of equal ranks', () => {
    const all = ['staging-web', 'web', 'web-two', 'other'].map((title) => ({ title }));
    expect(bestOf(all, 'web', 3).items.map(({ title }) => title)).toEqual(['web', 'web-two', 'staging-web']);
    expect(bestOf(all, '', 2).items.map(({ title }) => title)).toEqual(['staging-web', 'web']);
    expect([bestOf(all, 'web', 3).rank, bestOf(all, 'none', 3).rank]).toEqual([0, Number.POSITIVE_INFINITY]);
  });
});
