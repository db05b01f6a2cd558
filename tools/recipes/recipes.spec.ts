import fs from 'node:fs';
import path from 'node:path';
import { FIELD_RECIPE } from './field-recipe.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

/** Returns the files in the first column of the table below a heading. */
function listedFiles(page: string, heading: string): string[] {
  const [, section = ''] = read(page).split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, file = '']) => file);
}

test('the recipe of a field inserts its texts at places that exist once', () => {
  const lost = FIELD_RECIPE.filter((step) => 'before' in step && read(step.file).split(step.before).length !== 2);
  expect(lost).toEqual([]);
});

test('the page of recipes lists the files of the recipe of a field', () => {
  const page = 'docs/contributing/recipes.md';
  const written = FIELD_RECIPE.map(({ file }) => file.replace(/\d{4}-owner-notes/, '<number>-owner-notes'));
  expect(listedFiles(page, 'A field of a noun')).toEqual([...new Set(written)]);
});

const pages = [
  'docs/contributing.md',
  ...fs.readdirSync(path.join(root, 'docs/contributing')).map((name) => `docs/contributing/${name}`),
];

test.each(pages)('every file of this repository that %s names exists', (page) => {
  const files = [...read(page).matchAll(/`((?:apps|libs|tools|docs|integrations|deploy)\/[\w./-]+)`/g)].map(
    ([, file = '']) => file,
  );
  const recipe = new Set(FIELD_RECIPE.map(({ file }) => file));
  expect(files.filter((file) => !recipe.has(file) && !fs.existsSync(path.join(root, file)))).toEqual([]);
});
