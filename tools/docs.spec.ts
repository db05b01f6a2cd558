import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadAll, YAML11_SCHEMA } from 'js-yaml';
import { parseAllDocuments } from 'yaml';
import { CREDENTIAL_VARIABLES } from '../apps/cli/src/core/programs/child-environment.ts';
import { SECRET_SETTINGS } from '../apps/cli/src/core/secret-settings.ts';
import { SETTINGS as CORE } from '../apps/core/src/platform/env.ts';
import { SETTINGS as GATEWAY } from '../apps/gateway/src/env.ts';
import { EVENT_TYPES } from '../libs/domain/src/index.ts';
import { linkTarget, listBrokenLinks, listLocalLinks, listPages } from './docs/links.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const pages = ['README.md', ...listPages(root)];

test.each(pages)('every local link of %s has an existing file and heading', (page) => {
  expect(listBrokenLinks(root, page)).toEqual([]);
});

test('links to missing files and headings are reported, but not those in code blocks', () => {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-docs-'));
  try {
    fs.writeFileSync(
      path.join(project, 'a.txt'),
      '# A\n\n[b](b.txt#good-one) [c](c.txt) [b](b.txt#bad)\n\n```\n[d](d.txt)\n```\n',
    );
    fs.writeFileSync(path.join(project, 'b.txt'), '# B\n\n## Good `one`?\n');
    expect(listBrokenLinks(project, 'a.txt')).toEqual(['c.txt', 'b.txt#bad']);
  } finally {
    fs.rmSync(project, { recursive: true, force: true });
  }
});

test('the index of the documentation links every page except decisions and specifications', () => {
  const listed = listLocalLinks(root, 'docs/README.md').map((link) => linkTarget('docs/README.md', link));
  const isListedElsewhere = (page: string) => /^docs\/(adr|spec)\/(?!README)/.test(page) || page === 'docs/README.md';
  expect(pages.filter((page) => !isListedElsewhere(page) && !['README.md', ...listed].includes(page))).toEqual([]);
});

const rows = read('docs/reference/settings.md').split('\n');

test.each([...CORE, ...GATEWAY])('docs/reference/settings.md has the setting $name with its default', (setting) => {
  const row = rows.find((line) => line.startsWith(`| \`${setting.name}\` |`));
  const [, , default_] = row?.split('|').map((cell) => cell.trim()) ?? [];
  expect(default_).toBe(setting.default ? `\`${setting.default}\`` : '');
});

test('every setting that a page names exists', () => {
  const sources = SECRET_SETTINGS.flatMap((name) => [`${name}_FILE`, `${name}_COMMAND`]);
  const allowed = new Set([
    ...[...CORE, ...GATEWAY].map(({ name }) => name),
    ...sources,
    'STRATA_DATA_DIR',
    'STRATA_BACKUP_DIR',
    'STRATA_EDGE_KEY',
    // The variable of a GitHub organization.
    'STRATA_ORGANIZATION',
    // The settings of the command line.
    ...CREDENTIAL_VARIABLES,
    ...['URL', 'PROJECT', 'ENVIRONMENT', 'SERVICE_ACCOUNT', 'KEYRING', 'CONSOLE_URL', 'PROFILE'].map(
      (name) => `STRATA_${name}`,
    ),
  ]);
  const named = pages.flatMap((page) => read(page).match(/\bSTRATA_[A-Z_]*[A-Z]\b(?!_)/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !allowed.has(name))).toEqual([]);
});

test('docs/contributing.md describes every npm script', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const contributing = read('docs/contributing.md');
  const missing = Object.keys(scripts).filter(
    (name) => !contributing.includes(`| \`npm ${['start', 'test'].includes(name) ? '' : 'run '}${name}\` |`),
  );
  expect(missing).toEqual([]);
});

test('docs/reference/events.md lists exactly the twelve event types', () => {
  const named =
    read('docs/reference/events.md').match(/\b(environment|project|parameter|value)_(created|updated|deleted)\b/g) ??
    [];
  expect([...new Set(named)].sort()).toEqual([...EVENT_TYPES].sort());
});

test('every spec named in docs/explanation/security.md exists, and each threat names one', () => {
  const security = read('docs/explanation/security.md');
  const specs = new Set(
    fs
      .globSync(['{apps,libs,integrations}/*/src/**/*spec.ts', 'tools/**/*spec.ts'], {
        cwd: root,
        exclude: ['**/node_modules/**'],
      })
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

test('the glossary contains each term once', () => {
  const terms = [...read('docs/glossary.md').matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, word = '']) => word);
  expect(terms.length).toBeGreaterThan(30);
  expect(terms.filter((word, at) => terms.indexOf(word) !== at)).toEqual([]);
});

test('every YAML of a page or of a release means the same in YAML 1.1 and 1.2', () => {
  const pageBlocks = pages.flatMap((page) =>
    [...read(page).matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', block = '']) => ({
      ...{ file: page, source: block.replaceAll(new RegExp(`^${indent}`, 'gm'), '') },
    })),
  );
  const patterns = ['deploy/**/*.{yml,yaml}', 'integrations/*/*/action.yml', 'docker-compose.yml'];
  const files = fs.globSync(patterns, { cwd: root, exclude: ['deploy/helm/templates'] });
  const sources = [...pageBlocks, ...files.map((file) => ({ file, source: read(file) }))];
  expect(sources.length).toBeGreaterThan(20);
  for (const { file, source } of sources) {
    // GitHub reads the key `on` of a workflow as YAML 1.2.
    const text = source.replaceAll(/^on:/gm, '"on":');
    const documents = parseAllDocuments(text, { merge: true }).map((document) => document.toJSON());
    expect([file, loadAll(text, null, { schema: YAML11_SCHEMA })]).toEqual([file, documents]);
  }
});
