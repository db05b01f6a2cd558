// npm run check runs this: it fails for each decision by a role that is not in the table below. The stored role of a
// membership can be higher than what the credential of a caller permits (the limit of workloads). Decisions about a caller
// use `can` and the other functions of `libs/domain` that take `Permissions`.
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');

/** How often a file compares roles, and why this decides nothing about the caller. */
const ACCEPTED: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  'apps/cli/src/commands/administer/access-plan.ts': [1, 'the name of an option'],
  'apps/cli/src/commands/administer/access-request.ts': [1, 'the name of an option'],
  'apps/console/src/data/home.ts': [1, 'counts service accounts'],
  'apps/console/src/data/read-only.ts': [1, 'names the role that a page requires'],
  'apps/console/src/features/access/open-invitations.tsx': [1, 'the role of an invitation'],
  'apps/console/src/features/access/people-page.tsx': [1, 'the role of another member'],
  'apps/console/src/features/access/permission-fields.tsx': [2, 'the role that a form chooses'],
  'apps/console/src/features/access/role-dialog.tsx': [1, 'whether the role of another member changes'],
  'apps/console/src/features/access/service-accounts-page.tsx': [2, 'the role of a listed account'],
  'apps/console/src/features/organization/single-sign-on.tsx': [1, 'lists the owners to choose from'],
  'apps/console/src/lib/role-word.ts': [1, 'words'],
  'apps/core/src/features/access/grants.reader.ts': [1, 'a filter of a list'],
  'apps/core/src/features/access/grants.service.ts': [6, 'a scope must keep an OWNER'],
  'apps/core/src/features/access/released-grants.ts': [2, 'finds the heir of a scope'],
  'apps/core/src/features/access/scope-rows-with-access.ts': [1, 'shows a role within the limit of the credential'],
  'apps/core/src/features/access/temporary-grants.ts': [1, 'which roles a temporary grant can give'],
  'apps/core/src/features/access/unused-rights.ts': [1, 'which grants the list leaves out'],
  'apps/core/src/features/identity/acceptance.service.ts': [1, 'the token of an invitation is valid for one role'],
  'apps/core/src/features/identity/invitations.reader.ts': [1, 'a filter of a list'],
  'apps/core/src/features/identity/invitations.service.ts': [1, 'whether a role changes'],
  'apps/core/src/features/identity/memberships.reader.ts': [1, 'a filter of a list'],
  'apps/core/src/features/identity/memberships.service.ts': [
    4,
    'whether a role changes; an organization keeps an OWNER',
  ],
  'apps/core/src/features/identity/only-projects.ts': [1, 'which accounts can be limited to projects'],
  'apps/core/src/features/identity/people.ts': [1, 'the default of an ability of a new member'],
  'apps/core/src/features/identity/sign-in-policy.ts': [1, 'which member can be the break-glass owner'],
  'apps/core/src/features/identity/trust-rules.service.ts': [2, 'which accounts can have trust rules'],
  'apps/core/src/features/plans/plan-effects.ts': [
    2,
    'shows the roles and cells of all members before and after a plan',
  ],
  'apps/core/src/platform/auth/scope-rows.ts': [1, 'reads the grants from which effective permissions are computed'],
  'apps/core/src/platform/auth/sso-rule.ts': [1, 'who may sign in with a password'],
  'libs/import/src/people-items.ts': [1, 'compares the grants of two organizations'],
};

const NOT_READ =
  /spec\.tsx?$|\.graphql\.ts$|\.d\.m?ts$|(^|\/)(dist|build|generated|migrations|node_modules|testing)\/|^libs\/testkit\/|^apps\/e2e\//;
/** The functions that decide. Everything else calls them with permissions. */
const DECIDING = ['access.ts', 'effective-permissions.ts', 'scope.ts'].map((file) => `libs/domain/src/${file}`);

/** Functions of `libs/domain` that take a role, and methods that search a list for it. */
const COMPARING_CALLS = /^(roleIncludes|atLeast|isWorkloadRole|isRaisedAboveWorkloads)$/;
const SEARCHING_CALLS = /^(includes|indexOf|has)$/;
/** A column `role` in a condition or an order of SQL, but not in an assignment and not the role of a connection. */
const SQL_CONDITION =
  /(?<!\bset |-c |_|\[)\brole\b\s*(=|<>|!=|not in\b|in\s*\(|is (not )?distinct\b|[<>])|\barray_position\([^()]*role|\bcase \S*role when/i;

export interface RoleDecision {
  readonly line: number;
  readonly text: string;
}

/** Returns the lines of one file that compare a role. */
export function roleDecisions(file: string, content: string): readonly RoleDecision[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const decisions: RoleDecision[] = [];
  const visit = (node: ts.Node): void => {
    if (decidesByRole(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      decisions.push({ line, text: node.getText(source).replace(/\s+/g, ' ').slice(0, 80) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return decisions;
}

function decidesByRole(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node))
    return isComparison(node) && [node.left, node.right].some(isRole) && !isWithNothing(node);
  if (ts.isSwitchStatement(node)) return isRole(node.expression);
  if (ts.isCallExpression(node)) return callsWithRole(node);
  return SQL_CONDITION.test(literalText(node));
}

function callsWithRole({ expression, arguments: values }: ts.CallExpression): boolean {
  if (ts.isIdentifier(expression)) return COMPARING_CALLS.test(expression.text);
  return ts.isPropertyAccessExpression(expression) && SEARCHING_CALLS.test(expression.name.text) && values.some(isRole);
}

const COMPARISONS: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
];
const isComparison = ({ operatorToken }: ts.BinaryExpression): boolean => COMPARISONS.includes(operatorToken.kind);

/** Comparisons with `null` and `undefined` check only whether there is a role. */
const isWithNothing = ({ left, right }: ts.BinaryExpression): boolean =>
  [left, right].some((side) => side.kind === ts.SyntaxKind.NullKeyword || side.getText() === 'undefined');

function isRole(node: ts.Node): boolean {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node))
    return isRole(node.expression);
  const name = ts.isPropertyAccessExpression(node) ? node.name : node;
  return ts.isIdentifier(name) && /^(role|\w+Role)$/.test(name.text);
}

/** Returns the text of a literal, with a question mark for each expression in it; empty for other nodes. */
function literalText(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?');
}

function sources(): string[] {
  return ['apps', 'libs', 'integrations']
    .flatMap((directory) =>
      fs
        .readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
        .map((file) => path.join(directory, file)),
    )
    .filter((file) => /\.tsx?$/.test(file) && /\/src\//.test(file) && !NOT_READ.test(file) && !DECIDING.includes(file));
}

/** Returns a message for each file whose comparisons differ from the table. */
export function describeUnexpectedDecisions(
  files: ReadonlyMap<string, string>,
  acceptedCounts: Readonly<Record<string, readonly [count: number, reason: string]>> = ACCEPTED,
): readonly string[] {
  const messages: string[] = [];
  for (const [file, content] of files) {
    const decisions = roleDecisions(file, content);
    const [count] = acceptedCounts[file] ?? [0];
    if (decisions.length === count) continue;
    const lines = decisions.map(({ line, text }) => `  ${file}:${line} ${text}`);
    messages.push([`${file} compares roles ${decisions.length} times, expected ${count}:`, ...lines].join('\n'));
  }
  const missingFiles = Object.keys(acceptedCounts).filter((file) => !files.has(file));
  return [...messages, ...missingFiles.map((file) => `${file} does not exist. Remove it from the table.`)];
}

function check(): void {
  const messages = describeUnexpectedDecisions(
    new Map(sources().map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')])),
  );
  if (messages.length === 0) return;
  console.log(messages.join('\n'));
  console.log(
    'Decide by the effective permissions of the caller (`can`, `canGrantRole`, `canOnScope` of libs/domain).',
  );
  console.log('If the role is not the caller’s, change the table in tools/stored-roles.ts and give the reason.');
  process.exitCode = 1;
}

if (process.argv[1] && import.meta.filename === fs.realpathSync(process.argv[1])) check();
