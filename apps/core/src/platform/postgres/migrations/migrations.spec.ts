import { MIGRATIONS } from './index.ts';

const described = MIGRATIONS.map((Migration) => new Migration());
const numberOf = (name: string) => Number(name.slice(-4));
/** From migration 21 on, every migration declares which cores its schema supports. */
const declaring = described.filter(({ name }) => numberOf(name) >= 21);

it('every migration declares which cores the schema supports after it', () => {
  expect(declaring.length).toBeGreaterThan(0);
  const silent = declaring.filter(({ servesCoresFrom }) => servesCoresFrom === undefined).map(({ name }) => name);
  expect(silent).toEqual([]);
});

it('no migration supports older cores than the previous migration, or requires cores of a later release', () => {
  const served = declaring.map(({ servesCoresFrom = Number.NaN }) => servesCoresFrom);
  expect(served).toEqual([...served].sort((a, b) => a - b));
  for (const { name, servesCoresFrom } of declaring) expect(servesCoresFrom).toBeLessThanOrEqual(numberOf(name));
});
