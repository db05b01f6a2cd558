import fs from 'node:fs';
import path from 'node:path';
import { SETTINGS as CORE } from '../apps/core/src/platform/env.ts';
import { SETTINGS as GATEWAY } from '../apps/gateway/src/env.ts';
import { EVENT_TYPES } from '../libs/domain/src/index.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const pages = [
  'README.md',
  ...fs
    .readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

/** The anchors that a page's headings get. */
const anchors = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

function isBroken(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!fs.existsSync(path.join(root, target))) return true;
  return anchor !== undefined && !anchors(target).includes(anchor);
}

test.each(pages)('every link of %s within the project leads somewhere', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const inside = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(inside.filter((link) => isBroken(page, link))).toEqual([]);
});

const rows = read('docs/operating.md').split('\n');

test.each([...CORE, ...GATEWAY])('docs/operating.md has the setting $name with its default', (setting) => {
  const row = rows.find((line) => line.startsWith(`| \`${setting.name}\` |`));
  const [, , default_] = row?.split('|').map((cell) => cell.trim()) ?? [];
  expect(default_).toBe(setting.default ? `\`${setting.default}\`` : '');
});

test('every setting that a page names exists', () => {
  const known = new Set([...[...CORE, ...GATEWAY].map(({ name }) => name), 'STRATA_DATA_DIR']);
  const named = pages.flatMap((page) => read(page).match(/\bSTRATA_[A-Z_]*[A-Z]\b(?!_)/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});

test('the README says of every npm script what it does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const readme = read('README.md');
  const silent = Object.keys(scripts).filter(
    (name) => !readme.includes(`| \`npm ${['start', 'test'].includes(name) ? '' : 'run '}${name}\` |`),
  );
  expect(silent).toEqual([]);
});

test('docs/events.md has all twelve types and no other', () => {
  const named =
    read('docs/events.md').match(/\b(environment|project|parameter|value)_(created|updated|deleted)\b/g) ?? [];
  expect([...new Set(named)].sort()).toEqual([...EVENT_TYPES].sort());
});

test('every spec that docs/security.md names exists, and each of its threats names one', () => {
  const security = read('docs/security.md');
  const specs = new Set(
    fs
      .globSync(['{apps,libs}/*/src/**/*spec.ts', 'tools/**/*spec.ts'], { cwd: root })
      .map((file) => path.basename(file)),
  );
  const named = security.match(/[\w.-]+spec\.ts/g) ?? [];
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !specs.has(name))).toEqual([]);

  const [, ...tables] = security.split(/^\|(?=.*\| Shown by \|$)/m);
  const threats = tables.flatMap((table) => (table.split('\n\n')[0] ?? '').split('\n').slice(2));
  expect(threats.length).toBeGreaterThan(50);
  expect(threats.filter((row) => !/spec\.ts`|\| the same/.test(row))).toEqual([]);
});

test('the glossary has each word once', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(30);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});
