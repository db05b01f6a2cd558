// npm run check runs this: it fails for each function of the apps, libraries and tools that is longer than a screen. It
// counts the lines of JSX, which the rule of Biome does not. A text in a template literal, such as SQL, counts as one
// line. Specs are exempt.
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');
const LINES_MAX = 70;
const NOT_READ = /spec\.ts$|\.graphql\.ts$|\.d\.m?ts$|(^|\/)(dist|generated|node_modules)\//;

export interface LongFunction {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

/** Returns the functions of one file that are longer than allowed. */
export function longFunctions(file: string, content: string): readonly LongFunction[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const breaksIn = (node: ts.Node) => lineAt(node.end) - lineAt(node.getStart(source));
  const longFunctionList: LongFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const lines = 1 + breaksIn(node) - textsIn(node).reduce((sum, text) => sum + breaksIn(text), 0);
      if (lines > LINES_MAX)
        longFunctionList.push({ name: functionName(node), line: lineAt(node.getStart(source)), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return longFunctionList;
}

/** Returns the outermost template literals of a function. */
function textsIn(node: ts.Node): readonly ts.Node[] {
  const texts: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    if (ts.isTemplateLiteral(child)) texts.push(child);
    else texts.push(...textsIn(child));
  });
  return texts;
}

function functionName({ name, parent }: ts.SignatureDeclaration): string {
  if (name) return name.getText();
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : 'a function';
}

function sources(): string[] {
  return ['apps', 'libs', 'integrations', 'tools']
    .flatMap((directory) =>
      fs
        .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
        .map((file) => path.join(directory, file)),
    )
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !NOT_READ.test(file));
}

function check(): void {
  for (const file of sources()) {
    for (const { name, line, lines } of longFunctions(file, fs.readFileSync(path.join(root, file), 'utf8'))) {
      console.log(`${file}:${line} ${name} has ${lines} lines; at most ${LINES_MAX} are allowed. Split it.`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] && import.meta.filename === fs.realpathSync(process.argv[1])) check();
