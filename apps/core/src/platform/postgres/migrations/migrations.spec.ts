import { MIGRATIONS } from './index.ts';

const described = MIGRATIONS.map((Migration) => new Migration());
const numberOf = (name: string) => Number(name.slice(-4));
/** From there on the schema says which cores it serves. */
const saying = described.filter(({ name }) => numberOf(name) >= 21);

it('every migration says which cores the schema serves that it leaves', () => {
  expect(saying.length).toBeGreaterThan(0);
  const silent = saying.filter(({ servesCoresFrom }) => servesCoresFrom === undefined).map(({ name }) => name);
  expect(silent).toEqual([]);
});

it('none serves cores that the one before served no more, nor only those that are still to come', () => {
  const served = saying.map(({ servesCoresFrom = Number.NaN }) => servesCoresFrom);
  expect(served).toEqual([...served].sort((a, b) => a - b));
  for (const { name, servesCoresFrom } of saying) expect(servesCoresFrom).toBeLessThanOrEqual(numberOf(name));
});
