// npm run check runs this: it fails for each place where code of a client compares or matches the sentence of an error.
// Sentences can change; clients use `code`, `pointer` and `params` (docs/adr/0102-errors-as-data.md).
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');

/** How often a file matches messages of programs that have no codes. */
const ACCEPTED: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  'apps/cli/src/core/changeset-file.ts': [1, 'a message of the YAML library'],
  'apps/cli/src/backup/restore.ts': [4, 'messages of PostgreSQL and of the system'],
  'apps/cli/src/commands/operate/doctor/process-findings.ts': [1, 'lists the lines of a message'],
  'apps/cli/src/core/strata-command.ts': [4, 'removes values from messages of commander'],
  'apps/cli/src/core/wrong-address.ts': [1, 'messages of OpenSSL'],
  'apps/cli/src/start/database.ts': [1, 'messages of the system'],
  'apps/cli/src/start/settings.ts': [1, 'lists the lines of a message'],
  'apps/console/src/ui/lazy-part.tsx': [1, 'messages of browsers'],
  'apps/gateway/src/error-log.ts': [1, 'removes a message from a stack'],
  'apps/gateway/src/errors.ts': [1, 'a message of graphql-js without a code'],
  'apps/gateway/src/schema/settings.ts': [1, 'shortens a message of graphql-js'],
};

const CLIENTS = [
  'apps/cli',
  'apps/console',
  'apps/gateway',
  'integrations',
  'libs/import',
  'libs/rest-client',
  'libs/sdk',
];
const SERVER = ['apps/core/src', 'libs/contract/src', 'libs/domain/src'];
const NOT_READ = /spec\.tsx?$|\.graphql\.ts$|\.d\.m?ts$|\/(dist|build|node_modules|testing)\//;

/** Names of variables and members that contain a sentence. */
const SENTENCE_NAME = /^(message|detail|errorMessage|errorDetails)$/;
const MATCHING_METHOD =
  /^(includes|startsWith|endsWith|indexOf|match|matchAll|search|replace|replaceAll|split|test|exec)$/;
/** Shorter parts of sentences occur elsewhere, too. */
const FRAGMENT_LENGTH_MIN = 9;

export interface SentenceMatch {
  readonly line: number;
  readonly text: string;
}

/** Returns the fixed parts of the sentences in one file of the server, such as `There is no tag`. */
export function sentenceFragments(file: string, content: string): readonly string[] {
  const fragments: string[] = [];
  const visit = (node: ts.Node): void => {
    const isSentence = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sentence';
    const isTitle = ts.isCallExpression(node) && node.expression.getText() === 'section';
    if (isSentence) fragments.push(...literalParts(node.template));
    if (isTitle && node.arguments[0]) fragments.push(...literalParts(node.arguments[0]));
    if (ts.isTemplateExpression(node) && node.getText().includes('matches the given query')) {
      fragments.push('matches the given query');
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true));
  return fragments.map((fragment) => fragment.trim()).filter(({ length }) => length >= FRAGMENT_LENGTH_MIN);
}

/** Returns the places of one file that compare or match a sentence. */
export function sentenceMatches(file: string, content: string, fragments: readonly string[]): readonly SentenceMatch[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const regexes = regexConstants(source);
  const matches: SentenceMatch[] = [];
  const visit = (node: ts.Node): void => {
    if (comparesSentence(node) || matchesSentence(node, regexes, fragments)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      matches.push({ line, text: node.getText(source).replace(/\s+/g, ' ').slice(0, 80) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return matches;
}

const COMPARISONS: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];

function comparesSentence(node: ts.Node): boolean {
  if (ts.isSwitchStatement(node)) return isSentence(node.expression);
  if (!ts.isBinaryExpression(node) || !COMPARISONS.includes(node.operatorToken.kind)) return false;
  const sides = [node.left, node.right];
  return sides.some(isSentence) && sides.some((side) => ts.isStringLiteralLike(side) && side.text !== '');
}

function matchesSentence(node: ts.Node, regexes: ReadonlyMap<string, string>, fragments: readonly string[]): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression: object } = node.expression;
  if (!MATCHING_METHOD.test(name.text)) return false;
  const operands = [object, ...node.arguments];
  if (operands.some(containsSentence)) return true;
  const patterns = operands.map((operand) => regexes.get(operand.getText()) ?? patternText(operand));
  return patterns.some((pattern) => fragments.some((fragment) => pattern.includes(fragment)));
}

function isSentence(node: ts.Node): boolean {
  const name = ts.isPropertyAccessExpression(node) ? node.name : node;
  return ts.isIdentifier(name) && SENTENCE_NAME.test(name.text);
}

/** Returns whether an operand is a sentence, or a template that contains one. */
function containsSentence(node: ts.Node): boolean {
  if (ts.isTemplateExpression(node)) return node.templateSpans.some(({ expression }) => isSentence(expression));
  return isSentence(node);
}

/** Returns the patterns of a file by the name of their constant. */
function regexConstants(source: ts.SourceFile): ReadonlyMap<string, string> {
  const regexes = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isRegularExpressionLiteral(node.initializer)) {
      regexes.set(node.name.getText(), node.initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return regexes;
}

function patternText(node: ts.Node): string {
  return ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node) ? node.text : '';
}

function literalParts(node: ts.Node): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return [];
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
}

/** Returns a message for each file whose matches differ from the table. */
export function describeUnexpectedMatches(
  files: ReadonlyMap<string, string>,
  fragments: readonly string[],
  acceptedCounts: Readonly<Record<string, readonly [count: number, reason: string]>> = ACCEPTED,
): readonly string[] {
  const messages: string[] = [];
  for (const [file, content] of files) {
    const matches = sentenceMatches(file, content, fragments);
    const [count] = acceptedCounts[file] ?? [0];
    if (matches.length === count) continue;
    const lines = matches.map(({ line, text }) => `  ${file}:${line} ${text}`);
    messages.push([`${file} matches sentences ${matches.length} times, expected ${count}:`, ...lines].join('\n'));
  }
  const missingFiles = Object.keys(acceptedCounts).filter((file) => !files.has(file));
  return [...messages, ...missingFiles.map((file) => `${file} does not exist. Remove it from the table.`)];
}

function read(folders: readonly string[]): ReadonlyMap<string, string> {
  const files = folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file)),
  );
  const sourceFiles = files.filter((file) => /\.tsx?$/.test(file) && /\/src\//.test(file) && !NOT_READ.test(file));
  return new Map(sourceFiles.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
}

function check(): void {
  const fragments = [...read(SERVER)].flatMap(([file, content]) => sentenceFragments(file, content));
  const messages = describeUnexpectedMatches(read(CLIENTS), [...new Set(fragments)]);
  if (messages.length === 0) return;
  console.log(messages.join('\n'));
  console.log(
    'Use `code`, `pointer` or `params` of the error. If another program has only a sentence, change the table',
  );
  console.log('in tools/error-sentences.ts and give the reason.');
  process.exitCode = 1;
}

if (process.argv[1] && import.meta.filename === fs.realpathSync(process.argv[1])) check();
