import { readdirSync } from 'node:fs';
import { MIGRATIONS } from './index.ts';

const described = MIGRATIONS.map((Migration) => new Migration());
const parseNumber = (name: string) => Number(name.slice(-4));
/** From migration 21 on, every migration declares which cores its schema supports. */
const declaring = described.filter(({ name }) => parseNumber(name) >= 21);

it('every file with a number is a migration of that number, in the order of the numbers', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^\d{4}-/.test(file));
  expect(described.map(({ name }) => parseNumber(name))).toEqual(files.sort().map((file) => Number(file.slice(0, 4))));
});

it('every migration declares which cores the schema supports after it', () => {
  expect(declaring.length).toBeGreaterThan(0);
  const silent = declaring.filter(({ servesCoresFrom }) => servesCoresFrom === undefined).map(({ name }) => name);
  expect(silent).toEqual([]);
});

it('no migration supports older cores than the previous migration, or requires cores of a later release', () => {
  const served = declaring.map(({ servesCoresFrom = Number.NaN }) => servesCoresFrom);
  expect(served).toEqual([...served].sort((a, b) => a - b));
  for (const { name, servesCoresFrom } of declaring) expect(servesCoresFrom).toBeLessThanOrEqual(parseNumber(name));
});
