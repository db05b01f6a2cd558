// npm run check runs this: it fails when a file has more sentences against the language rules than known.json lists for it.
// `node tools/english/check.ts --update` writes known.json again after sentences were rewritten or files were moved.
import fs from 'node:fs';
import path from 'node:path';
import { COMMENT_RULES, LANGUAGE_RULES, type LanguageRule } from './rules.ts';
import { type FoundText, textsOf } from './texts.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const KNOWN = path.join(import.meta.dirname, 'known.json');
/** The files of this folder quote sentences that break the rules; the others are generated. */
const NOT_READ = /^tools\/english\/|(^|\/)(build|dist|node_modules)\/|\.graphql\.ts$/;
/** A longer list would hide the names of the other files. */
const SHOWN_PER_FILE = 10;

export interface BrokenRule {
  readonly rule: LanguageRule;
  readonly line: number;
  readonly words: string;
}

/** Returns the sentences of one file that break a language rule. */
export function brokenRules(file: string, content: string): readonly BrokenRule[] {
  return textsOf(file, content).flatMap((found) =>
    rulesFor(found).flatMap((rule) =>
      [...found.text.matchAll(rule.pattern)].map(({ 0: words }) => ({ rule, line: found.line, words })),
    ),
  );
}

const rulesFor = ({ kind }: FoundText) => (kind === 'comment' ? [...LANGUAGE_RULES, ...COMMENT_RULES] : LANGUAGE_RULES);

function filesOfProject(): string[] {
  const below = ['apps', 'docs', 'integrations', 'libs', 'tools'].flatMap((directory) =>
    fs
      .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(directory, file)),
  );
  return ['README.md', ...below].filter((file) => /\.(md|tsx?|mjs)$/.test(file) && !NOT_READ.test(file));
}

function check(): void {
  const found = new Map(
    filesOfProject().map((file) => [file, brokenRules(file, fs.readFileSync(path.join(root, file), 'utf8'))]),
  );
  if (process.argv.includes('--update')) update(found);
  else compare(found);
}

function compare(found: ReadonlyMap<string, readonly BrokenRule[]>): void {
  const known: Record<string, number> = JSON.parse(fs.readFileSync(KNOWN, 'utf8'));
  const worse = [...found].filter(([file, broken]) => broken.length > (known[file] ?? 0));
  for (const [file, broken] of worse) report(file, broken, known[file] ?? 0);
  if (worse.length > 0) process.exitCode = 1;
}

function report(file: string, broken: readonly BrokenRule[], known: number): void {
  console.log(`${file}: ${broken.length} places break a language rule, ${known} are known. Rewrite the new ones:`);
  for (const { line, words, rule } of broken.slice(-SHOWN_PER_FILE)) {
    console.log(`  ${file}:${line} "${words}" (${rule.name}): ${rule.advice} Example: ${rule.keeps}`);
  }
}

function update(found: ReadonlyMap<string, readonly BrokenRule[]>): void {
  const counts = [...found].map(([file, broken]) => [file, broken.length] as const).filter(([, count]) => count > 0);
  fs.writeFileSync(KNOWN, `${JSON.stringify(Object.fromEntries(counts.sort()), null, 2)}\n`);
  console.log(`${counts.reduce((sum, [, count]) => sum + count, 0)} places in ${counts.length} files`);
}

if (process.argv[1] && import.meta.filename === fs.realpathSync(process.argv[1])) check();
