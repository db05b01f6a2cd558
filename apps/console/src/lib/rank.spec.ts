import { findBest, rankEntry, type SearchTarget } from './rank.ts';

const webhooks: SearchTarget = { title: 'Webhooks', synonyms: 'slack chat notifications' };

describe('the rank of a result', () => {
  it.each([
    ['', 0],
    ['webhooks', 0],
    ['web', 1],
    ['SLACK', 2],
    ['notification', 2],
    ['web slack', 2],
    ['sla', 3],
    ['hook', 4],
  ])('orders matches of %p: a title, its start, its words or synonyms, then their starts', (searchText, rank) => {
    expect(rankEntry(webhooks, searchText)).toBe(rank);
  });

  it.each(['x', 'hooks of slack', 'o', 'lack'])('does not exist for %p', (searchText) => {
    expect(rankEntry(webhooks, searchText)).toBeNull();
  });

  it('treats every character that is not a letter as the start of a word', () => {
    expect(rankEntry({ title: 'max_connections' }, 'conn')).toBe(2);
    expect(rankEntry({ title: 'über.größe' }, 'größe')).toBe(2);
  });

  it('sorts the best first up to the limit, and keeps the order of equal ranks', () => {
    const all = ['staging-web', 'web', 'web-two', 'other'].map((title) => ({ title }));
    expect(findBest(all, 'web', 3).items.map(({ title }) => title)).toEqual(['web', 'web-two', 'staging-web']);
    expect(findBest(all, '', 2).items.map(({ title }) => title)).toEqual(['staging-web', 'web']);
    expect([findBest(all, 'web', 3).rank, findBest(all, 'none', 3).rank]).toEqual([0, Number.POSITIVE_INFINITY]);
  });
});
