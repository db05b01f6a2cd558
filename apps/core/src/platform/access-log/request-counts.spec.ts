import { RequestCounts } from './request-counts.ts';

const listDue = (counts: RequestCounts<string>, minute: number) =>
  counts.due(minute).map(({ key, details, requests }) => [key, details, requests]);

describe('the counted requests of one caller and rule', () => {
  it('are due once per minute, and the next record counts those in between', () => {
    const counts = new RequestCounts<string>(10);
    counts.add('ada', 'first');
    const due = counts.due(5);
    counts.settle(5, due, new Set(['ada']));
    counts.add('ada', 'second');
    counts.add('ada', 'third');

    expect(due).toEqual([{ key: 'ada', details: 'first', requests: 1 }]);
    expect(listDue(counts, 5)).toEqual([]);
    expect(listDue(counts, 6)).toEqual([['ada', 'second', 2]]);
  });

  it('stay counted if they were not recorded, and if more arrive while they are written', () => {
    const counts = new RequestCounts<string>(10);
    counts.add('ada', 'first');
    counts.add('bob', 'first');
    const due = counts.due(5);
    counts.add('ada', 'meanwhile');
    counts.settle(5, due, new Set(['ada']));

    expect(listDue(counts, 6)).toEqual([
      ['ada', 'first', 1],
      ['bob', 'first', 1],
    ]);
  });

  it('are forgotten when nothing more is counted', () => {
    const counts = new RequestCounts<string>(1);
    counts.add('ada', 'first');
    counts.settle(5, counts.due(5), new Set(['ada']));
    expect(counts.isWaiting).toBe(false);
    expect(counts.due(6)).toEqual([]);
    counts.add('bob', 'first');

    expect(listDue(counts, 6)).toEqual([['bob', 'first', 1]]);
  });

  it('use limited memory', () => {
    const counts = new RequestCounts<string>(2);
    for (const key of ['ada', 'bob', 'eve', 'ada']) counts.add(key, 'first');

    expect(listDue(counts, 5)).toEqual([
      ['ada', 'first', 2],
      ['bob', 'first', 1],
    ]);
  });
});
