import fs from 'node:fs';
import path from 'node:path';
import { bareCitations, collectCitable, danglingCitations, findMissingMembers } from './references.ts';

const root = path.resolve(import.meta.dirname, '..');
const citable = collectCitable(root);
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

const listFilesBelow = (directory: string, ...endings: readonly string[]): string[] =>
  fs
    .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => endings.some((ending) => file.endsWith(ending)) && !/(^|\/)(build|dist|node_modules)\//.test(file),
    )
    .map((file) => path.join(directory, file));

/** This file contains invalid citations on purpose. */
const sources = [
  ...listFilesBelow('apps', '.ts'),
  ...listFilesBelow('libs', '.ts'),
  ...listFilesBelow('integrations', '.ts'),
  ...listFilesBelow('tools', '.ts', '.mjs'),
].filter((file) => file !== 'tools/references.spec.ts');
const pages = ['README.md', 'CHANGELOG.md', ...listFilesBelow('docs', '.md'), ...listFilesBelow('integrations', '.md')];

describe('citations', () => {
  it('are found in numbers', () => {
    expect(sources.length).toBeGreaterThan(500);
    const cited = sources.filter((file) => /behaviour\.md §|\bE\d\d\b/.test(read(file)));
    expect(cited.length).toBeGreaterThan(50);
  });

  it('in comments, tests and messages have an existing target', () => {
    const dangling = sources.flatMap((file) =>
      danglingCitations(read(file), citable).map((cited) => `${file}: ${cited}`),
    );
    expect(dangling).toEqual([]);
  });

  it('in pages have an existing target', () => {
    const dangling = pages.flatMap((file) =>
      danglingCitations(read(file), citable, path.basename(file)).map((cited) => `${file}: ${cited}`),
    );
    expect(dangling).toEqual([]);
  });

  it('are part of a sentence: no comment consists of citations only', () => {
    const bare = sources
      .map((file) => [file, bareCitations(read(file))] as const)
      .filter(([, citations]) => citations.length);
    expect(bare).toEqual([]);
  });
});

describe('a citation without a target', () => {
  it.each`
    text                                        | found
    ${'of behaviour.md §6.2 rule 6'}            | ${[]}
    ${'of behaviour.md §6.2 rule 9'}            | ${['behaviour.md §6.2 rule 9']}
    ${'(behaviour.md §6.2 rules 5 to 7)'}       | ${[]}
    ${'(behaviour.md §1.1, §1.6, §1.77)'}       | ${['behaviour.md §1.77']}
    ${'the sixth invariant (domain.md §2.6)'}   | ${[]}
    ${'there is none such (domain.md §2.12)'}   | ${['domain.md §2.12']}
    ${'E40 to E43, E41b and E98'}               | ${[]}
    ${'E41c, E999'}                             | ${['E41c', 'E999']}
    ${'as in H10, and not in H11'}              | ${['H11']}
    ${'ADR 0016 and ADR 0009'}                  | ${['ADR 0009']}
    ${'a page that is gone (reliability.md)'}   | ${['reliability.md']}
    ${'a section of no page at all: §3'}        | ${['no page §3']}
    ${'docs/guides/install.md, not helping.md'} | ${['helping.md']}
  `('is found in “$text”', ({ text, found }) => {
    expect(danglingCitations(text, citable)).toEqual(found);
  });

  it.each(['/** E44. */', '/** behaviour.md §8.2. */', '/** E80a, E80b: behaviour.md §12. */', '// E50, E51'])(
    'is reported if a comment is only %s',
    (comment) => {
      expect(bareCitations(`${comment}\nconst a = 1;`)).toEqual([comment]);
      expect(bareCitations(comment.replace(/E|b/, 'It says E'))).toEqual([]);
    },
  );
});

test('the index of decisions has every decision, once, under its title', () => {
  const decisions = fs.readdirSync(path.join(root, 'docs/adr')).filter((file) => /^\d{4}-/.test(file));
  const index = [...read('docs/adr/README.md').matchAll(/^\| \[(\d{4})\]\((.+?)\) \| (.+?) \|$/gm)];
  expect(index.map(([, , file]) => file)).toEqual(decisions.sort());
  for (const [, number = '', file = '', message = ''] of index) {
    expect(file.startsWith(`${number}-`)).toBe(true);
    const [, title, successor] = /^(.+?)(?: \((?:partly )?replaced by (\d{4})\))?$/.exec(message) ?? [];
    if (successor !== undefined) expect(citable.decisions).toContain(successor);
    expect([file, read(`docs/adr/${file}`).split('\n')[0]]).toEqual([file, `# ${number} ${title}`]);
  }
});

describe('a decision', () => {
  const decisions = listFilesBelow('docs/adr', '.md');
  const text = sources.map(read).join('\n');

  it('names only members that exist, or says what has replaced it', () => {
    const missing = decisions.flatMap((file) => findMissingMembers(read(file), text).map((name) => `${file}: ${name}`));
    expect(missing).toEqual([]);
  });

  it.each`
    what                               | decision                                             | missing
    ${'a missing type'}                | ${'# A\n\nOnly `Work.write` sets it.'}               | ${['`Work.write`']}
    ${'a missing member'}              | ${'# A\n\n`Ledger.hide()` does.'}                    | ${['`Ledger.hide()`']}
    ${'an existing member'}            | ${'# A\n\n`Ledger.append()` does.'}                  | ${[]}
    ${'a page with a note'}            | ${'# A\n\n*Replaced by B.*\n\nOnly `Work.write` …'}  | ${[]}
    ${'a file and a member of an API'} | ${'# A\n\n`Dockerfile.md` and `Intl.NumberFormat`.'} | ${[]}
  `('is checked for $what', ({ decision, missing }) => {
    expect(findMissingMembers(decision, 'export class Ledger {\n  append() {}\n}\ntype Dockerfile = {}; md')).toEqual(
      missing,
    );
  });
});
