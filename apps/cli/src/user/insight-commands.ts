import type { Differences, LintFinding, MatrixCell, SearchHit } from '@strata/contract';
import type { Query } from '@strata/rest-client';
import { planAndStore } from './change-commands.ts';
import type { Client } from './client.ts';
import { CommandError, EXIT, invalid } from './command-error.ts';
import { type Context, contextOf, type TargetOptions } from './context.ts';
import { namesOnly } from './names-only.ts';
import { counted, note, paint, printJson, printTable, shownText } from './output.ts';
import { allPages, pagesOf } from './pages.ts';

interface CompareOptions extends TargetOptions {
  readonly rightProject?: string;
  readonly leftRevision?: string;
  readonly leftAsOf?: string;
  readonly leftTag?: string;
  readonly rightRevision?: string;
  readonly rightAsOf?: string;
  readonly rightTag?: string;
  readonly exitCode?: boolean;
}

interface SearchOptions extends TargetOptions {
  readonly in?: string;
  readonly match?: string;
  readonly ignoreCase?: boolean;
  readonly limit: number;
}

/** Options that can also be undefined. */
type Optional<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };

interface LintOptions extends TargetOptions {
  readonly kind?: string;
  readonly all?: boolean;
  readonly fix?: boolean;
  readonly yes?: boolean;
}

const LENGTH_MAX = 50;

/** Prints the names whose values differ between two environments, projects or points in time. */
export async function compare(left: string, right: string | undefined, options: CompareOptions): Promise<void> {
  const context = await contextOf(options);
  const { path, query } = await comparisonOf(context, left, right, options);
  const results = (await allPages<Differences>(context.client, path, query)).flatMap((page) => page.results);
  if (options.json) printJson(namesOnly(results));
  else if (results.length === 0) note('There are no differences.');
  else {
    const rows = results.flatMap(({ name, cells }) =>
      cells.map((cell) => [name, cellText(cell.left), cellText(cell.right)]),
    );
    printTable(['NAME', left, right ?? `${left} (right)`], rows);
  }
  if (options.exitCode && results.length > 0)
    throw new CommandError(EXIT.checkFailed, `The two sides differ in ${counted(results.length, 'name')}.`);
}

/** Returns the request for a comparison. */
export async function comparisonOf(
  { client, project }: Context,
  left: string,
  right: string | undefined,
  options: Optional<CompareOptions>,
): Promise<{ readonly path: string; readonly query: Query }> {
  const query = {
    ...{ left, right: right ?? left, left_as_of: options.leftAsOf, left_tag: options.leftTag },
    ...{ left_revision: options.leftRevision, right_project: options.rightProject, right_as_of: options.rightAsOf },
    ...{ right_tag: options.rightTag, right_revision: options.rightRevision },
  };
  return { path: `projects/${await client.projectId(project)}/compare/`, query };
}

function cellText(cell: MatrixCell | null): string {
  if (!cell || cell.states.includes('missing')) return paint('dim', 'not set');
  if (cell.states.includes('closed')) return paint('dim', 'no access');
  return shownText(cell.text, LENGTH_MAX);
}

/** Searches names, values and descriptions in everything that the caller may read. Secret values are never searched. */
export async function search(text: string, options: SearchOptions): Promise<void> {
  const { client } = await contextOf(options);
  const { results, isComplete } = await pagesOf<SearchHit>(
    client,
    'search/',
    searchQuery(text, options),
    options.limit,
  );
  if (!isComplete) note(`Only the first ${results.length} results are shown. Use --limit for more.`);
  if (options.json) return printJson(namesOnly(results));
  if (results.length === 0) return note('Nothing was found.');
  const rows = results.flatMap(({ project_name: project, name, wins }) =>
    wins.length === 0
      ? [[project, name, '', '']]
      : wins.map(({ value, environments }) => {
          const names = environments.map(({ environment_name: environment }) => environment).join(', ');
          return [project, name, shownText(value, LENGTH_MAX), names];
        }),
  );
  printTable(['PROJECT', 'NAME', 'VALUE', 'ENVIRONMENTS'], rows);
}

export const searchQuery = (text: string, options: Optional<SearchOptions>): Query => ({
  ...{ q: text, in: options.in, match: options.match, ignore_case: options.ignoreCase },
  ...{ project: options.project, environment: options.environment },
});

/** Prints likely mistakes, and fixes those that can be fixed. */
export async function lint(options: LintOptions): Promise<void> {
  const { client, selectedProject } = await contextOf(options);
  if (selectedProject === null && !options.all) throw invalid('No project is selected.', 'Add --project or --all.');
  const project = options.all ? undefined : selectedProject;
  const query = { kind: options.kind, project, environment: options.environment };
  const { results } = await pagesOf<LintFinding>(client, 'lint/', query);
  if (options.fix) return fix(client, results, options);
  if (options.json) printJson(results.map(shownFinding));
  else if (results.length === 0) note('There are no findings.');
  else {
    const rows = results.map(({ project_name, kind, detail, operations }) => [
      project_name,
      kind,
      operations.length > 0 ? paint('green', 'yes') : 'no',
      detail,
    ]);
    printTable(['PROJECT', 'KIND', 'FIX', 'FINDING'], rows);
  }
  if (results.length > 0)
    throw new CommandError(EXIT.checkFailed, `Strata reported ${counted(results.length, 'finding')}.`);
}

/** The operations of a fix contain ids. */
export const shownFinding = ({ operations, ...finding }: LintFinding) =>
  namesOnly({ ...finding, has_fix: operations.length > 0 });

async function fix(client: Client, findings: readonly LintFinding[], options: LintOptions): Promise<void> {
  const operations = findings.flatMap((finding) => finding.operations);
  const distinct = new Map(operations.map((operation) => [JSON.stringify(operation), operation]));
  const body = { message: 'Fix findings of lint', operations: [...distinct.values()] };
  if (distinct.size > 0) await planAndStore(client, 'changesets/', body, { ...options, hint: 'Add --yes.' });
  const remaining = findings.filter((finding) => finding.operations.length === 0).length;
  if (remaining > 0)
    throw new CommandError(EXIT.checkFailed, `${counted(remaining, 'finding')} cannot be fixed automatically.`, {
      hint: 'Run `strata lint` to list them.',
    });
  if (findings.length === 0) note('There are no findings.');
}
