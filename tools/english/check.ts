// npm run check runs this. It fails if a file has more sentences against the language rules, or a directory more names against
// the naming rules, than backlog.json allows. Files and directories that backlog.json does not list may have none.
// `node tools/english/check.ts --update` writes backlog.json again after texts were rewritten or files were moved.
import fs from 'node:fs';
import path from 'node:path';
import { badNames, NAMING_ADVICE } from './identifiers.ts';
import { COMMENT_RULES, LANGUAGE_RULES, type LanguageRule } from './rules.ts';
import { type ExtractedText, extractTexts } from './texts.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const BACKLOG = path.join(import.meta.dirname, 'backlog.json');
const GENERATED = /(^|\/)(build|dist|generated|node_modules)\/|\.generated\.|\.graphql\.ts$/;
/** The files of this folder quote sentences that break the rules, and its specs quote names. */
const QUOTES_BAD_SENTENCES = /^tools\/english\//;
const QUOTES_BAD_NAMES = /^tools\/english\/.*spec\.ts$/;
/** A longer list would hide the violations of the other files. */
const SHOWN_MAX = 10;

export interface RuleViolation {
  readonly rule: LanguageRule;
  readonly line: number;
  readonly match: string;
}

/** Descriptions of violations, by file for sentences and by directory for names. */
type Violations = ReadonlyMap<string, readonly string[]>;
type Backlog = Readonly<Record<'sentences' | 'names', Readonly<Record<string, number>>>>;

/** Returns the sentences of one file that break a language rule. */
export function findBrokenRules(file: string, content: string): readonly RuleViolation[] {
  return extractTexts(file, content).flatMap((text) =>
    rulesFor(text).flatMap((rule) =>
      [...text.text.matchAll(rule.pattern)].map(({ 0: match }) => ({ rule, line: text.line, match })),
    ),
  );
}

const rulesFor = ({ kind }: ExtractedText) =>
  kind === 'comment' ? [...LANGUAGE_RULES, ...COMMENT_RULES] : LANGUAGE_RULES;

/** Returns the directory whose names are counted together: a project, a folder of tools, or a feature of the core. */
export function namingDirectory(file: string): string {
  const depth = file.startsWith('apps/core/src/') ? 5 : 2;
  return path.posix.dirname(file).split('/').slice(0, depth).join('/');
}

/** Returns one message per file or directory that has more violations than the backlog allows. */
export function describeNewViolations(
  violations: Violations,
  allowedCounts: Readonly<Record<string, number>>,
): string[] {
  return [...violations]
    .filter(([location, { length }]) => length > (allowedCounts[location] ?? 0))
    .map(([location, lines]) =>
      [
        `${location}: ${lines.length} violations, ${allowedCounts[location] ?? 0} are allowed. Rewrite the new ones:`,
        ...lines.slice(-SHOWN_MAX),
      ].join('\n  '),
    );
}

function listProjectFiles(): string[] {
  const nestedFiles = ['apps', 'docs', 'integrations', 'libs', 'tools'].flatMap((directory) =>
    fs
      .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(directory, file)),
  );
  return ['README.md', ...nestedFiles].filter((file) => /\.(md|tsx?|mjs)$/.test(file) && !GENERATED.test(file));
}

function findViolations(): Record<keyof Backlog, Violations> {
  const sentences = new Map<string, string[]>();
  const names = new Map<string, string[]>();
  for (const file of listProjectFiles()) {
    const content = fs.readFileSync(path.join(root, file), 'utf8');
    if (!QUOTES_BAD_SENTENCES.test(file)) {
      const lines = findBrokenRules(file, content).map(
        ({ line, match, rule }) => `${file}:${line} "${match}" (${rule.name}): ${rule.advice} Example: ${rule.keeps}`,
      );
      if (lines.length > 0) sentences.set(file, lines);
    }
    if (file.endsWith('.md') || QUOTES_BAD_NAMES.test(file)) continue;
    for (const { line, name, rule } of badNames(file, content)) {
      const directory = namingDirectory(file);
      const lines = names.get(directory) ?? [];
      names.set(directory, [...lines, `${file}:${line} ${name} (${rule}): ${NAMING_ADVICE[rule]}`]);
    }
  }
  return { sentences, names };
}

function check(): void {
  const { sentences, names } = findViolations();
  if (process.argv.includes('--update')) {
    const backlog: Backlog = { sentences: countByLocation(sentences), names: countByLocation(names) };
    fs.writeFileSync(BACKLOG, `${JSON.stringify(backlog, null, 2)}\n`);
    return;
  }
  const backlog: Backlog = JSON.parse(fs.readFileSync(BACKLOG, 'utf8'));
  const messages = [
    ...describeNewViolations(sentences, backlog.sentences),
    ...describeNewViolations(names, backlog.names),
  ];
  for (const message of messages) console.log(message);
  if (messages.length > 0) process.exitCode = 1;
}

function countByLocation(violations: Violations): Record<string, number> {
  return Object.fromEntries([...violations].map(([location, { length }]) => [location, length] as const).sort());
}

if (process.argv[1] && import.meta.filename === fs.realpathSync(process.argv[1])) check();
